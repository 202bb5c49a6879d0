package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLintContainer(t *testing.T) {
	const is = "DangerousCommand/container"
	for program := range strings.FieldsSeq("docker podman nerdctl") {
		for option := range strings.FieldsSeq(`--privileged --pid=host --ipc=host --userns=host --uts=host --cap-add=ALL --cap-add=SYS_ADMIN --cap-add=all --cap-add=CAP_SYS_ADMIN
			--device=/dev/sda --device=/dev/nvme0n1:/dev/x -v=/:/h -v/:/h --volume=/:/h:ro -v/dev/sda:/d --volume=/var/run/docker.sock:/s:ro --volume=/root:/h --volume=/etc:/e --volume=/usr/lib:/l:rw
			--mount=type=bind,source=/,target=/h --mount=type=bind,src=/home/x,dst=/h --mount=source=/run/docker.sock,target=/s,readonly`) {
			for command := range strings.FieldsSeq("run create exec container:run") {
				command = strings.ReplaceAll(command, ":", " ")
				assert.Equal(t, []string{is}, said(program+" "+command+" -it --rm "+option+" --name x image sh", gnu), "%s %s", program, option)
			}
		}
		for option := range strings.FieldsSeq(`--privileged=false --pid=container:x --ipc=shareable --uts=private --cap-add=NET_ADMIN --cap-drop=ALL --device=/dev/null --device=/dev/dri -v=/a/b:/c --volume=x:/y
			--volume=.:/w --volume=/etc:/e:ro --volume=/etc/localtime:/x:ro,z --volume=/tmp:/t --volume=/home/x/y:/z --mount=type=bind,source=/etc,target=/e,readonly --mount=type=volume,source=x,target=/y --network=host --user=root
			--mount=type=tmpfs,target=/t --mount=source`) {
			assert.Empty(t, said(program+" run -it --rm "+option+" --name x image sh", gnu), "%s %s", program, option)
		}
	}
	checkCases(t, []lintCase{
		{"the next word", "docker run --pid host image", is},
		{"the next word of a letter", "docker run -v /:/h image", is},
		{"behind an option that nobody knows", "docker run --new-option x --privileged image", is},
		{"global options before it", "docker --context x -H y run --privileged image", is},
		{"home", "sh -c 'docker run -v ~:/h image'", is},
		{"home, mounted", "sh -c 'docker run --mount type=bind,source=$HOME,target=/h image'", is},
		{"a directory in it", "sh -c 'docker run -v ~/x:/h -v $PWD:/w -v $X:/x image'", ""},
		{"behind the image it is the program's", "docker run image --privileged -v /:/h", ""},
		{"another command", "docker build --privileged -v /:/h .", ""},
		{"an empty value", "docker run -v '' image", ""},
	})
}

func TestLintIrreversible(t *testing.T) {
	const is = "DangerousCommand/irreversible"
	for line := range strings.SplitSeq(`git push -f;git push --force origin x;git push -uf origin x;git push --mirror x;git push origin --delete x;git push -d origin x;git push --prune origin;git push origin +x;git push origin a :b;
		git -C x -c a=b push -f;git push --force-with-lease -f;git clean -f;git clean -xdf;git clean --force -e x;git reset --hard;git reset --hard x;git --work-tree x reset --har;kubectl delete ns x;kubectl delete namespace x;
		kubectl delete namespaces x y;kubectl delete ns/x;kubectl delete pods,ns x;kubectl delete pod/x namespace/y;kubectl delete pods --all;kubectl delete pods -A;kubectl delete all --all-namespaces;kubectl -n x delete pods --all=true;docker system prune -f;
		docker system prune --all;docker volume prune --force;docker image prune -af;docker system prune --volumes;podman image prune -a;nerdctl volume prune -f;docker --context x system prune -f;terraform destroy;terraform -chdir=x destroy;
		terraform apply -auto-approve;terraform apply -auto-approve=true x;tofu destroy;tofu apply -auto-approve;helm uninstall x;helm -n x uninstall y;npm publish;npm publish --tag x .;npm unpublish x;pnpm publish;pnpm -r publish;
		yarn publish;yarn npm publish;cargo publish;cargo +stable publish -p x;cargo yank --version 1 x;gem push x;twine upload x;gh repo delete x;gh -R a/b release delete x;dropdb x;crontab -r;crontab -ur x y;crontab -u x -r`, ";") {
		line = strings.TrimSpace(line)
		if line == "crontab -ur x y" {
			assert.Empty(t, said(line, gnu), "r is the user")
			continue
		}
		assert.Equal(t, []string{is}, said(line, gnu), "%q", line)
		assert.Equal(t, []string{is}, said("sudo "+line, gnu), "%q", line)
	}
	for line := range strings.SplitSeq(`git push;git push origin x:y;git push --force-with-lease;git push --force-with-lease=x origin y;git push -f --dry-run;git push -nf;git push -o -f x;git clean -n;git clean -nfd;git clean -f --dry-run;git clean -e -f;
		git reset;git reset --soft x;git commit -m 'push -f';git log push -f;git branch -d x;kubectl delete pod x;kubectl delete pod ns;kubectl get ns;kubectl delete pods --all --dry-run=client;kubectl delete pods --all=false;kubectl get pods -A;
		docker system df;docker system prune;docker container prune -f;docker image ls -a;docker image prune;terraform plan -destroy;terraform apply x;terraform apply -auto-approve=false;terraform show destroy;helm list;helm uninstall x --dry-run;npm pack;
		npm run publish;npm publish --dry-run;pnpm publish --dry-run;yarn run publish;cargo build;cargo publish -n;cargo publish --dry-run;gem list push;gem install x;twine check x;gh repo view x;gh release list;createdb x;crontab -l;crontab x`, ";") {
		line = strings.TrimSpace(line)
		assert.Empty(t, said(line, gnu), "%q", line)
	}
	assert.Equal(t, []string{is}, said("kubectl delete ns x --dry-run=none", gnu))
}

func TestLintHost(t *testing.T) {
	const is = "DangerousCommand/host"
	for line := range strings.SplitSeq(`shutdown now;shutdown -h +5;/sbin/shutdown -r now;reboot;reboot -f;halt -p;poweroff;killall5 -9;init 0;init 6;telinit 6;telinit -t 5 0;systemctl poweroff;systemctl -f reboot;systemctl halt;systemctl kexec;systemctl suspend;
		systemctl hibernate;systemctl rescue;systemctl emergency;systemctl -H x reboot;kill 1;kill -9 1;kill -KILL 1;kill -s KILL 1;kill -n 9 1;kill -9 -1;kill -- -1;kill -TERM -- -1;kill 5 1;kill --signal 9 1`, ";") {
		line = strings.TrimSpace(line)
		assert.Equal(t, []string{is}, said(line, gnu), "%q", line)
	}
	for line := range strings.SplitSeq(`shutdown -c;init;init q;init 3;telinit q;systemctl status;systemctl status reboot;systemctl restart x;systemctl is-active poweroff.target;kill 12;kill -1 12;kill -9 11 12;kill -l 1;kill -L;kill -s 1 12;kill -9 -12;pkill x;
		man reboot;which shutdown;ls reboot`, ";") {
		line = strings.TrimSpace(line)
		assert.Empty(t, said(line, gnu), "%q", line)
	}
	assert.Equal(t, []string{is, "DangerousCommand/system-file"}, said(inShell("echo b > /proc/sysrq-trigger"), gnu))
}
