package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

// partOf splits a line that is one part.
func partOf(t *testing.T, line string) plan.Part {
	t.Helper()
	parts, err := plan.Split(line)
	require.NoError(t, err, line)
	require.Len(t, parts, 1, line)
	return parts[0]
}

func TestDeniedCommand(t *testing.T) {
	for entry, lines := range map[string]struct{ denied, fine []string }{
		"rm -rf /": {
			denied: []string{
				"rm -rf /", "rm -fr /", "rm -r -f /", "rm -f -r /", "rm --recursive --force /", "rm -R -f /", "rm --recurs --forc /", "rm -rfv /", "rm / -rf",
				"/bin/rm -rf /", "rm -rf -- /", "rm -rf //", "rm -rf /./", "rm -rf /usr/..", "rm -rf a / b", "sudo rm -rf /", "sudo -u root rm -rf /",
				"env A=b rm -rf /", "env -u X nice -n 5 rm -rf /", "timeout -k 5 10 rm -rf /", "nohup rm -rf /", "busybox rm -rf /", "xargs -n 1 rm -rf /",
				"sh -c 'rm -rf /'", "bash -ec 'true && rm -rf /'", "sh -c 'cd x; rm -rf /; true'", "sh -c 'echo $(rm -rf /)'", "sh -c 'sh -c \"rm -rf /\"'",
				"env -S 'rm -rf /'", "find . -name x -exec rm -rf / ';'", "watch 'rm -rf /'", "bash -c 'rm -rf /*'",
			},
			fine: []string{
				"rm -rf /srv/x", "rm -r /", "rm -f /", "rm /", "rm -rf x", "echo rm -rf /", "rmdir -rf /", "timeout 5 echo rm -rf /", "grep -rf / rm",
				"sh -c 'rm -rf /srv'", "git rm -rf x", "sh rm -rf /", "./farm -rf /", "env rm=1 true -rf /",
			},
		},
		"git push --force": {
			denied: []string{"git push --force", "git push -f origin main", "git -C /x push --force", "git push origin --force main", "git push --force=yes"},
			fine:   []string{"git push", "git push --force-with-lease", "git fetch --force", "git push --follow-tags", "git push --forceful"},
		},
		"git push": {
			denied: []string{"git push", "git push origin main", "git -c a=b push", "env git push"},
			fine:   []string{"git pull", "git log push-notes", "gitpush", "git commit"},
		},
		"npm publish":      {denied: []string{"npm publish", "npm publish --tag x", "npm --silent publish"}, fine: []string{"npm pack", "pnpm publish", "npm run publisher"}},
		"sudo":             {denied: []string{"sudo ls", "/usr/bin/sudo -n true", "env sudo ls", "sh -c 'sudo ls'"}, fine: []string{"ls sudo", "pseudo x", "./sudoku"}},
		"docker run -d":    {denied: []string{"docker run -d x", "docker run --detach x", "docker run -itd x"}, fine: []string{"docker run x", "docker ps -d"}},
		"rimraf":           {denied: []string{"npx rimraf x", "npx -y rimraf@5 x", "pnpm dlx rimraf x", "yarn exec rimraf x", "npm exec -- rimraf x", "bunx rimraf x"}, fine: []string{"npm run rimraf", "npx eslint rimraf"}},
		"pytest":           {denied: []string{"pytest -q", "python3 -m pytest", "poetry run pytest", "uv run pytest", "bundle exec pytest"}, fine: []string{"python3 x.py pytest", "poetry add pytest"}},
		"@":                {denied: []string{`'\@' x`, `env '\@' x`, "env @ x"}, fine: []string{"@scope/x", "env x@1"}},
		"x@1":              {denied: []string{"x@1", "env x@1", "npx x@1"}, fine: []string{"x", "x@2", "npx x"}},
		"curl":             {denied: []string{"curl x", "sh -c 'curl x | sh'"}, fine: []string{"curlew x", "libcurl"}},
		"chmod -R 777":     {denied: []string{"chmod -R 777 .", "chmod --recursive 777 ."}, fine: []string{"chmod 777 .", "chmod -R 755 777x"}},
		"terraform apply":  {denied: []string{"terraform apply", "terraform -chdir=x apply"}, fine: []string{"terraform plan"}},
		"find . -delete":   {denied: []string{"find . -name x -delete"}, fine: []string{"find . -name x", "find x -delete"}},
		"mkfs.ext4":        {denied: []string{"mkfs.ext4 /dev/x"}, fine: []string{"echo mkfs.ext4", "mkfsxext4 x"}},
		"g++":              {denied: []string{"g++ x.cc"}, fine: []string{"gcc x.c"}},
		`^git\s+push`:      {denied: []string{"git push", "GIT push x", "env git push", "/usr/bin/git push"}, fine: []string{"git log"}},
		"deploy.*prod":     {denied: []string{"./x deploy-to-prod", "make deploy ENV=PRODUCTION"}, fine: []string{"make deploy ENV=test", "make prod"}},
		"docker (run|rm)":  {denied: []string{"docker run x", "DOCKER rm x"}, fine: []string{"docker ps"}},
		"curl.+evil":       {denied: []string{"curl http://evil.example"}, fine: []string{"curl http://good.example"}},
		"npm (ci|install)": {denied: []string{"npm ci", "sh -c 'npm install'"}, fine: []string{"npm test"}},
	} {
		p := newPolicy(t, nil, nil, []string{"never-used", entry})
		for _, line := range lines.denied {
			assert.Equal(t, entry, p.DeniedCommand(partOf(t, line)), line)
		}
		for _, line := range lines.fine {
			assert.Empty(t, p.DeniedCommand(partOf(t, line)), "%s: %s", entry, line)
		}
	}
}

func TestDeniedCommandNamesTheEntry(t *testing.T) {
	p := newPolicy(t, nil, nil, []string{"rm", "git push", "push"})
	assert.Equal(t, "git push", p.DeniedCommand(partOf(t, "git push")))
	assert.Empty(t, p.DeniedCommand(plan.Part{}), "a part without a program")
	assert.Empty(t, newPolicy(t, nil, nil, nil).DeniedCommand(partOf(t, "rm -rf /")), "no entry")
}

// FuzzDeniedCommand holds that any text for a shell can be looked through, and
// that what is denied alone is denied in it.
func FuzzDeniedCommand(f *testing.F) {
	f.Add("rm -rf /", "sh -c 'sh -c \"rm -rf /\"'")
	f.Add("(a|b)", "x y")
	f.Fuzz(func(t *testing.T, entry, text string) {
		p, err := plan.NewPathPolicy(nil, nil, []string{entry})
		if err != nil {
			return
		}
		parts, err := plan.Split(text)
		if err != nil {
			p.DeniedCommand(plan.Part{Argv: []string{"sh", "-c", text}})
			return
		}
		for _, part := range parts {
			if p.DeniedCommand(part) != "" {
				assert.NotEmpty(t, p.DeniedCommand(plan.Part{Argv: append([]string{"env"}, part.Argv...)}), "behind a launcher")
				assert.NotEmpty(t, p.DeniedCommand(plan.Part{Argv: []string{"sh", "-c", text}}), "in a text for a shell")
			}
		}
	})
}
