package command

// support says whether a platform has a program or an option.
type support uint8

const (
	has    support = iota
	varies         // it depends on the system or the build
	lacks
)

// platforms says so of each platform. The zero value has it everywhere.
type platforms struct{ gnu, bsd, busybox support }

// form says how an option has to stand for its row to apply.
type form uint8

const (
	anyForm    form = iota
	predicate       // of find
	percent         // with a format behind it that holds a percent sign
	noSuffix        // with no suffix, neither glued nor as a word of its own
	bareSuffix      // with a suffix as a word of its own
)

// optionRow is one option, or several spellings of one that come and go together. Two
// spellings of which a platform has one are two rows.
type optionRow struct {
	options []string
	platforms
	instead string // what to write where it is missing, or ""
	form    form
	probe   []string // a command that needs the option and writes nothing; nil if there is none
}

// optionRows holds the options that not all platforms have, by program. BusyBox is
// 1.35. GNU cannot be told by cp, ln and sed without their writing something, so
// those have no probe.
var optionRows = map[string][]optionRow{
	"find": {
		{options: []string{"-printf"}, platforms: platforms{has, lacks, lacks}, instead: "use -exec stat", form: predicate,
			probe: []string{"find", "/dev/null", "-maxdepth", "0", "-printf", "x"}},
		{options: []string{"-fprintf"}, platforms: platforms{has, lacks, lacks}, instead: "use -exec stat", form: predicate,
			probe: []string{"find", "/dev/null", "-maxdepth", "0", "-fprintf", "/dev/null", "x"}},
		{options: []string{"-regextype"}, platforms: platforms{has, lacks, lacks}, instead: "use -E on bsd, or -name", form: predicate,
			probe: []string{"find", "/dev/null", "-maxdepth", "0", "-regextype", "posix-extended"}},
	},
	"grep": {{options: []string{"-P", "--perl-regexp"}, platforms: platforms{has, lacks, lacks}, instead: "use -E",
		probe: []string{"grep", "-P", "x", "/dev/null"}}},
	"stat": {
		{options: []string{"-c"}, platforms: platforms{has, lacks, has}, instead: "use -f, which has other formats",
			probe: []string{"stat", "-c", "%n", "/"}},
		{options: []string{"--format"}, platforms: platforms{has, lacks, lacks}, instead: "use -c, or -f on bsd",
			probe: []string{"stat", "--format", "%n", "/"}},
		{options: []string{"--printf"}, platforms: platforms{has, lacks, lacks}, instead: "use -c, or -f on bsd",
			probe: []string{"stat", "--printf", "%n", "/"}},
		{options: []string{"-f"}, platforms: platforms{lacks, has, lacks}, instead: "use -c, which has other formats", form: percent,
			probe: []string{"stat", "-f", "%z", "/"}},
	},
	"du": {
		{options: []string{"--max-depth"}, platforms: platforms{has, lacks, lacks}, instead: "use -d",
			probe: []string{"du", "--max-depth=0", "/dev/null"}},
		{options: []string{"--apparent-size"}, platforms: platforms{has, lacks, lacks}, instead: "use -A on bsd",
			probe: []string{"du", "--apparent-size", "/dev/null"}},
	},
	"ps": {{options: []string{"--sort"}, platforms: platforms{has, lacks, lacks}, instead: "use another order, or sort what it prints afterwards",
		probe: []string{"ps", "--sort=pid"}}},
	"ls": {
		{options: []string{"--sort"}, platforms: platforms{has, lacks, lacks}, instead: "use -S or -t",
			probe: []string{"ls", "--sort=size", "/dev/null"}},
		{options: []string{"--group-directories-first"}, platforms: platforms{has, varies, has},
			probe: []string{"ls", "--group-directories-first", "/dev/null"}},
	},
	"readlink": {
		{options: []string{"-f"}, platforms: platforms{has, varies, has}, instead: "use realpath",
			probe: []string{"readlink", "-f", "/"}},
		{options: []string{"-e", "--canonicalize-existing"}, platforms: platforms{has, lacks, lacks}, instead: "use realpath",
			probe: []string{"readlink", "-e", "/"}},
		{options: []string{"-m", "--canonicalize-missing"}, platforms: platforms{has, lacks, lacks}, instead: "use realpath",
			probe: []string{"readlink", "-m", "/"}},
		{options: []string{"--canonicalize"}, platforms: platforms{has, lacks, lacks}, instead: "use realpath",
			probe: []string{"readlink", "--canonicalize", "/"}},
	},
	"xargs": {{options: []string{"-d", "--delimiter"}, platforms: platforms{has, lacks, lacks}, instead: "use -0",
		probe: []string{"xargs", "-d", ",", "true"}}},
	"ln":       {{options: []string{"-r", "--relative"}, platforms: platforms{has, lacks, lacks}}},
	"realpath": {{options: []string{"--relative-to"}, platforms: platforms{has, lacks, lacks}, probe: []string{"realpath", "--relative-to=/", "/"}}},
	"cut": {{options: []string{"--complement"}, platforms: platforms{has, lacks, lacks},
		probe: []string{"cut", "--complement", "-c", "1", "/dev/null"}}},
	"tar": {{options: []string{"--wildcards"}, platforms: platforms{has, lacks, lacks},
		probe: []string{"tar", "--wildcards", "-cf", "/dev/null", "/dev/null"}}},
	"sort": {
		{options: []string{"-h", "--human-numeric-sort"}, platforms: platforms{has, varies, lacks}, instead: "use -n on bytes",
			probe: []string{"sort", "-h", "/dev/null"}},
		{options: []string{"--parallel"}, platforms: platforms{has, varies, lacks}, instead: "leave it out",
			probe: []string{"sort", "--parallel=1", "/dev/null"}},
	},
	"date": {{options: []string{"-d", "--date"}, platforms: platforms{has, lacks, has}, instead: "use -v, or -j -f",
		probe: []string{"date", "-d", "@0"}}},
	"base64": {{options: []string{"-w", "--wrap"}, platforms: platforms{has, varies, has},
		probe: []string{"base64", "-w", "0", "/dev/null"}}},
	"sed": {
		{options: []string{"--in-place"}, platforms: platforms{has, lacks, has}, instead: "use -i.bak, which all understand"},
		{options: []string{"-i"}, platforms: platforms{has, lacks, has}, instead: "use -i '', or -i.bak, which all understand", form: noSuffix},
		{options: []string{"-i ''"}, platforms: platforms{lacks, has, lacks}, instead: "use -i, or -i.bak, which all understand", form: bareSuffix},
	},
	"cp": {{options: []string{"--parents"}, platforms: platforms{has, lacks, has}}},
}

// toolRows holds the programs that not all platforms have. Those of macOS alone vary on
// a BSD. There are no probes: whether a program is there the first run tells.
var toolRows = map[string]platforms{
	"ss": {has, lacks, varies}, "systemctl": {has, lacks, varies}, "journalctl": {has, lacks, varies}, "lsblk": {has, lacks, varies}, "lscpu": {has, lacks, varies},
	"free": {has, lacks, has},
	"ip":   {has, varies, has}, "tac": {has, varies, has}, "nproc": {has, varies, has}, "timeout": {has, varies, has}, "sha256sum": {has, varies, has},
	"ldconfig": {has, varies, varies},
	"apt-get":  {has, lacks, lacks}, "dpkg": {has, lacks, lacks},
	"sw_vers": {lacks, varies, lacks}, "pbcopy": {lacks, varies, lacks},
}
