package command

// deedRow is something that cannot be undone, or that stops the machine: first
// words, and one of some options if there are any.
type deedRow struct {
	words   string // the first operands, each with a blank on both sides; "" is whatever they are
	options string // one of these has to be given; "" if none has to
	detail  string
}

// deedSet is the harm that one program does, and how it is told what to do. An option
// with a value that its grammar does not know makes the value the first operand, and
// then no row applies; so the grammars hold those that stand before a command.
type deedSet struct {
	grammar
	exempt string // options with which nothing is done
	rows   []deedRow
}

// Options that several rows share.
const (
	dryRun    = " --dry-run "
	gitDryRun = " --dry-run -n "
	pruneAll  = " -a --all -f --force --volumes "
	approved  = " -auto-approve --auto-approve "
)

// always is a program that does one thing only, whatever its arguments are.
func always(detail string) []deedRow { return []deedRow{{"", "", detail}} }

// deeds holds every program whose name or first words decide alone, whatever they
// act on: what others have already seen or built upon, or what others are running
// on, does not come back. The first row that applies is the one that is said. What
// only looks at what would be done is exempt.
var deeds = map[string]deedSet{
	"git": {
		grammar: grammar{
			values: "Ccoe", long: " --git-dir --work-tree --namespace --exclude --push-option --receive-pack --exec --repo --super-prefix --config-env ",
			known: " --force --force-with-lease --force-if-includes --mirror --delete --prune --dry-run --hard --soft --mixed ",
		},
		exempt: gitDryRun,
		rows: []deedRow{
			{" push ", " -f --force --mirror -d --delete --prune ", detailIrreversible},
			{" clean ", " -f --force ", detailIrreversible},
			{" reset ", " --hard ", detailIrreversible},
		},
	},
	"kubectl": {
		grammar: grammar{
			values: "nflosk", known: " --all --all-namespaces --dry-run --force --now ",
			long: " --namespace --context --cluster --user --kubeconfig --filename --selector --output --server --token --as --field-selector --timeout ",
		},
		exempt: dryRun,
		rows: []deedRow{
			{" delete ", " --all -A --all-namespaces ", detailIrreversible},
		},
	},
	"docker":  {grammar: pruneGrammar, exempt: dryRun, rows: pruneRows},
	"podman":  {grammar: pruneGrammar, exempt: dryRun, rows: pruneRows},
	"nerdctl": {grammar: pruneGrammar, exempt: dryRun, rows: pruneRows},

	"terraform":  {grammar: grammar{oneDash: true}, rows: destroyRows},
	"tofu":       {grammar: grammar{oneDash: true}, rows: destroyRows},
	"terragrunt": {grammar: grammar{oneDash: true}, rows: destroyRows},
	"helm": {
		grammar: grammar{values: "n", long: " --namespace --kube-context --kubeconfig ", known: " --dry-run "}, exempt: dryRun,
		rows: []deedRow{
			{" uninstall ", "", detailIrreversible}, {" delete ", "", detailIrreversible}, {" del ", "", detailIrreversible}, {" un ", "", detailIrreversible},
		},
	},

	"npm": {grammar: registryGrammar, exempt: dryRun, rows: []deedRow{
		{" publish ", "", detailIrreversible}, {" unpublish ", "", detailIrreversible},
	}},
	"pnpm": {grammar: registryGrammar, exempt: dryRun, rows: []deedRow{
		{" publish ", "", detailIrreversible}, {" unpublish ", "", detailIrreversible},
	}},
	"yarn": {grammar: registryGrammar, exempt: dryRun, rows: []deedRow{
		{" publish ", "", detailIrreversible}, {" npm publish ", "", detailIrreversible},
	}},
	"bun": {grammar: registryGrammar, exempt: dryRun, rows: []deedRow{{" publish ", "", detailIrreversible}}},
	"cargo": {
		grammar: grammar{values: "pZCFj", long: " --manifest-path --package --config --target-dir --registry --index --token --color ", known: " --dry-run "},
		exempt:  " --dry-run -n ",
		rows:    []deedRow{{" publish ", "", detailIrreversible}, {" yank ", "", detailIrreversible}},
	},
	"gem": {
		grammar: grammar{values: "kvp", long: " --key --host --version --platform "}, exempt: dryRun,
		rows: []deedRow{{" push ", "", detailIrreversible}, {" yank ", "", detailIrreversible}},
	},
	"twine":  {exempt: dryRun, rows: []deedRow{{" upload ", "", detailIrreversible}}},
	"poetry": {grammar: grammar{values: "C", long: " --directory --project ", known: " --dry-run "}, exempt: dryRun, rows: []deedRow{{" publish ", "", detailIrreversible}}},
	"uv":     {grammar: grammar{long: " --directory --project ", known: " --dry-run "}, exempt: dryRun, rows: []deedRow{{" publish ", "", detailIrreversible}}},
	"gh": {grammar: grammar{values: "R", long: " --repo "}, rows: []deedRow{
		{" repo delete ", "", detailIrreversible}, {" release delete ", "", detailIrreversible},
	}},
	"dropdb":  {rows: always(detailIrreversible)},
	"crontab": {grammar: grammar{values: "u"}, rows: []deedRow{{"", " -r ", detailIrreversible}}},

	"shutdown":  {exempt: " -c ", rows: always(detailHost)},
	"reboot":    {rows: always(detailHost)},
	"halt":      {rows: always(detailHost)},
	"poweroff":  {rows: always(detailHost)},
	"killall5":  {rows: always(detailHost)},
	"init":      {rows: []deedRow{{" 0 ", "", detailHost}, {" 6 ", "", detailHost}}},
	"telinit":   {grammar: grammar{values: "te"}, rows: []deedRow{{" 0 ", "", detailHost}, {" 6 ", "", detailHost}}},
	"systemctl": {grammar: systemGrammar, exempt: dryRun, rows: systemRows},
	"loginctl":  {grammar: systemGrammar, rows: systemRows},
}

// Grammars and rows that several programs share.
var (
	pruneGrammar = grammar{
		values: "cHl", long: " --context --host --log-level --config --filter --url --connection --namespace --address ",
		known: " --all --force --volumes ",
	}
	pruneRows = []deedRow{
		{" system prune ", pruneAll, detailIrreversible},
		{" volume prune ", pruneAll, detailIrreversible},
		{" image prune ", pruneAll, detailIrreversible},
	}
	destroyRows = []deedRow{
		{" destroy ", "", detailIrreversible},
		{" apply ", approved, detailIrreversible},
	}
	registryGrammar = grammar{values: "wCF", long: " --registry --tag --access --otp --workspace --prefix --filter --dir --cwd ", known: " --dry-run --force "}
	systemGrammar   = grammar{values: "HMtpnosP", long: " --host --machine --type --property --lines --output --signal --root --when ", known: " --dry-run --force "}
	systemRows      = []deedRow{
		{" poweroff ", "", detailHost}, {" reboot ", "", detailHost}, {" halt ", "", detailHost}, {" kexec ", "", detailHost},
		{" suspend ", "", detailHost}, {" hibernate ", "", detailHost}, {" hybrid-sleep ", "", detailHost}, {" suspend-then-hibernate ", "", detailHost},
		{" soft-reboot ", "", detailHost}, {" rescue ", "", detailHost}, {" emergency ", "", detailHost},
	}
)

// gitPrograms are settings of git whose value is a program that it starts, in small
// letters as git compares them; those that begin with a dot end the setting's name.
// They may stand on the command line, where nobody looks for a program.
var gitPrograms = wordSet(`core.pager core.editor core.sshcommand core.fsmonitor core.hookspath core.askpass core.gitproxy sequence.editor diff.external
	credential.helper .command .cmd .textconv .clean .smudge .process .driver`)
