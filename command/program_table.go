package command

// rule says what a program may do, and so which rules look at its arguments.
type rule uint8

const (
	ruleNone        rule = iota
	ruleDelete           // every operand is removed
	ruleMove             // operands are removed, the last one is written
	ruleCopy             // the last operand is written
	ruleSync             // as ruleCopy, and options may remove what is there
	ruleWrite            // every operand is written
	ruleDD               // operands are name=value
	ruleEdit             // operands are written if an option says so
	ruleDownload         // fetches what others wrote
	ruleFormat           // overwrites disks
	ruleMode             // changes permissions
	ruleOwner            // changes owners
	ruleNetcat           // may hand its connection to a program
	ruleSocat            // the same, in an operand
	ruleContainer        // may open the host to what it starts
	ruleArchive          // options may name programs
	ruleSecureShell      // the same
	ruleKill             // ends processes
	ruleInit             // changes what the system runs
	ruleFind             // has predicates for options
	ruleAwk              // its first operand is code
	ruleInterpreter      // runs code of its own language
	ruleShell            // runs shell text
	ruleLauncher         // starts a program
	rulePlain            // only tables look at it
)

// program is what the tables know of one program.
type program struct {
	grammar
	rule rule
}

// Grammars that several programs share.
var (
	copyGrammar = grammar{
		values: "tS", long: " --target-directory --suffix ",
		known: " --no-target-directory --parents --recursive --force --relative --symbolic --backup --verbose ",
	}
	formatGrammar = grammar{values: "LtTbNmiOUEIJgrGn", known: " --list --print --no-act "}
	diskGrammar   = grammar{known: " --list --print --no-act --dump "}
	modeGrammar   = grammar{long: " --reference --from ", known: " --recursive --verbose --changes --quiet --silent "}
	curlGrammar   = grammar{
		values: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
		long: names(`--output --output-dir --user-agent --cookie --cookie-jar --continue-at --data --data-raw --data-binary --data-urlencode --json --dump-header
			--referer --cert --form --header --config --max-time --connect-timeout --retry --retry-delay --retry-max-time --user --proxy --request --url
			--range --upload-file --write-out --cacert --capath --key --resolve --interface --limit-rate --max-redirs --proto --stderr --trace --trace-ascii`),
		known: " --remote-name --remote-name-all --location --fail --silent --show-error --insecure --head --compressed --create-dirs ",
	}
	sshGrammar   = grammar{values: "BbcDEeFIiJLlmOoPpQRSWw"}
	shellGrammar = grammar{values: "oO", long: " --rcfile --init-file "}
)

// programs holds every program that a rule looks at, but for families of names;
// see [lookUp].
var programs = map[string]program{
	"rm":       {grammar{known: " --recursive --force --dir --verbose --interactive --one-file-system --no-preserve-root "}, ruleDelete},
	"unlink":   {grammar{}, ruleDelete},
	"srm":      {grammar{}, ruleDelete},
	"shred":    {grammar{values: "ns", long: " --iterations --size --random-source "}, ruleDelete},
	"mv":       {copyGrammar, ruleMove},
	"cp":       {copyGrammar, ruleCopy},
	"ln":       {copyGrammar, ruleCopy},
	"install":  {grammar{values: "tSmog", long: " --target-directory --suffix --mode --owner --group --strip-program "}, ruleCopy},
	"rsync":    {rsyncGrammar, ruleSync},
	"tee":      {grammar{known: " --append --ignore-interrupts "}, ruleWrite},
	"truncate": {grammar{values: "sr", long: " --size --reference "}, ruleWrite},
	"sponge":   {grammar{}, ruleWrite},
	"dd":       {grammar{}, ruleDD},
	"sed":      {grammar{values: "efl", glued: "i", long: " --expression --file --line-length ", known: " --in-place "}, ruleEdit},

	"curl": {curlGrammar, ruleDownload},
	"wget": {grammar{
		values: "OoaeiBtTwQPUlARDIX",
		long: names(`--output-document --output-file --append-output --execute --input-file --base --tries --timeout --wait --quota --directory-prefix
			--user-agent --level --accept --reject --domains --header --user --password --post-data --post-file --method --body-data`),
	}, ruleDownload},
	"aria2c": {grammar{values: "odlijxskUT", long: " --out --dir --log --input-file "}, ruleDownload},
	"fetch":  {grammar{values: "oBNSTw", long: " --output "}, ruleDownload},
	"http":   {grammar{values: "oapAs", long: " --output --auth --print --auth-type --style "}, ruleDownload},
	"https":  {grammar{values: "oapAs", long: " --output --auth --print --auth-type --style "}, ruleDownload},

	"mke2fs":     {formatGrammar, ruleFormat},
	"mkswap":     {formatGrammar, ruleFormat},
	"parted":     {diskGrammar, ruleFormat},
	"blkdiscard": {grammar{}, ruleFormat},
	"badblocks":  {grammar{}, ruleFormat},
	"cryptsetup": {grammar{values: "chilopsST", long: " --cipher --hash --key-size --key-file --type --key-slot ", known: " --batch-mode --verbose "}, ruleFormat},
	"nvme":       {grammar{values: "nsl", long: " --namespace-id --ses --lbaf "}, ruleFormat},
	"wipefs":     {grammar{values: "to", long: " --types --offset ", known: " --all --no-act "}, ruleFormat},
	"hdparm":     {grammar{known: " --security-erase --security-erase-enhanced "}, ruleFormat},

	"chmod": {modeGrammar, ruleMode},
	"chown": {modeGrammar, ruleOwner},
	"chgrp": {modeGrammar, ruleOwner},

	"nc":     {grammar{values: "ecgGiIMmOPpqsTVwXx", long: " --exec --sh-exec "}, ruleNetcat},
	"ncat":   {grammar{values: "ecgGiIMmOPpqsTVwXx", long: " --exec --sh-exec "}, ruleNetcat},
	"netcat": {grammar{values: "ecgGiIMmOPpqsTVwXx", long: " --exec --sh-exec "}, ruleNetcat},
	"socat":  {grammar{}, ruleSocat},

	"docker":  {grammar{}, ruleContainer},
	"podman":  {grammar{}, ruleContainer},
	"nerdctl": {grammar{}, ruleContainer},

	"tar":  {tarGrammar, ruleArchive},
	"gtar": {tarGrammar, ruleArchive},
	"sort": {grammar{
		values: "ktoST", long: " --key --field-separator --output --buffer-size --temporary-directory --compress-program --batch-size --files0-from --parallel ",
		known: " --human-numeric-sort --numeric-sort --reverse --unique --version-sort ",
	}, ruleArchive},

	"ssh":  {sshGrammar, ruleSecureShell},
	"scp":  {sshGrammar, ruleSecureShell},
	"sftp": {sshGrammar, ruleSecureShell},

	"kill":    {grammar{}, ruleKill},
	"init":    {grammar{}, ruleInit},
	"telinit": {grammar{}, ruleInit},

	"find":  {grammar{}, ruleFind},
	"gfind": {grammar{}, ruleFind},

	"awk":  {awkGrammar, ruleAwk},
	"gawk": {awkGrammar, ruleAwk},
	"mawk": {awkGrammar, ruleAwk},
	"nawk": {awkGrammar, ruleAwk},

	"sh":   {shellGrammar, ruleShell},
	"bash": {shellGrammar, ruleShell},
	"dash": {shellGrammar, ruleShell},
	"zsh":  {shellGrammar, ruleShell},
	"ksh":  {shellGrammar, ruleShell},
	"mksh": {shellGrammar, ruleShell},
	"ash":  {shellGrammar, ruleShell},
	"fish": {shellGrammar, ruleShell},

	"grep": {grammar{
		values: "efmABCdD",
		long: names(`--regexp --file --max-count --after-context --before-context --context --binary-files --directories --devices --label
			--include --exclude --exclude-from --exclude-dir`),
		known: " --perl-regexp --extended-regexp --fixed-strings --basic-regexp --ignore-case --quiet --count ",
	}, rulePlain},
	"stat": {grammar{values: "ct", long: " --format --printf ", known: " --file-system --dereference --terse "}, rulePlain},
	"du": {grammar{
		values: "dBtX", long: " --max-depth --block-size --threshold --exclude --exclude-from --files0-from ",
		known: " --apparent-size --human-readable --summarize ",
	}, rulePlain},
	"date": {grammar{values: "dfrsv", glued: "Ij", long: " --date --file --reference --set ", known: " --utc --universal "}, rulePlain},
	"ps":   {grammar{values: "opuUtgGCF", long: " --sort --format --pid --ppid --user --group ", known: " --forest --no-headers "}, rulePlain},
	"ls": {grammar{
		values: "IwT", long: " --ignore --hide --width --tabsize ",
		known: " --sort --group-directories-first --all --almost-all --human-readable --recursive --reverse ",
	}, rulePlain},
	"readlink": {grammar{known: " --canonicalize --canonicalize-existing --canonicalize-missing --no-newline "}, rulePlain},
	"realpath": {grammar{long: " --relative-to --relative-base ", known: " --canonicalize-existing --canonicalize-missing "}, rulePlain},
	"cut":      {grammar{values: "bcdf", long: " --bytes --characters --delimiter --fields --output-delimiter ", known: " --complement --only-delimited "}, rulePlain},
	"base64":   {grammar{values: "wiob", long: " --wrap ", known: " --decode --ignore-garbage "}, rulePlain},
}

// Grammars too long for their row.
var (
	rsyncGrammar = grammar{
		values: "efTBM",
		long: names(`--rsh --filter --exclude --include --exclude-from --include-from --files-from --temp-dir --partial-dir --compare-dest --copy-dest --link-dest
			--log-file --log-file-format --password-file --bwlimit --timeout --contimeout --port --sockopts --out-format --suffix --backup-dir --max-size
			--min-size --max-delete --chmod --chown --usermap --groupmap --rsync-path --remote-option --block-size --modify-window --compress-level`),
		known: " --dry-run --delete --delete-after --delete-before --delete-delay --delete-during --delete-excluded --delete-missing-args ",
	}
	tarGrammar = grammar{
		values: "fCbXTI",
		long: names(`--file --directory --blocking-factor --exclude-from --files-from --use-compress-program --to-command --checkpoint-action --rsh-command
			--info-script --new-volume-script --exclude --transform --strip-components --owner --group --mode`),
		known: " --wildcards --extract --create --list --gzip --xz --zstd --bzip2 ",
	}
	awkGrammar = grammar{values: "Fvfei", long: " --field-separator --assign --file --source --include "}
)
