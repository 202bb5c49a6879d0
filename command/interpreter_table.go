package command

// interpreter says how a program that runs code of its own language gets to it.
type interpreter struct {
	grammar
	code   string // options whose value is code
	runs   string // options that name what to run in another way, or that need nothing to run
	merges string // letters of code that may stand together and share one value
	words  string // first operands behind which code stands
	ticks  bool   // backticks start a program
}

var (
	pythonGrammar = interpreter{grammar: grammar{values: "cmWXQ"}, code: " -c ", runs: " -m "}
	nodeGrammar   = interpreter{
		grammar: grammar{values: "epCr", long: " --eval --print --require --import --conditions --loader --input-type "}, code: " -e -p --eval --print ", merges: "ep",
	}
	luaGrammar  = interpreter{grammar: grammar{values: "el"}, code: " -e "}
	pwshGrammar = interpreter{
		grammar: grammar{oneDash: true, long: " -c -C -Command -command -File -file -f -ExecutionPolicy -executionpolicy "},
		code:    " -c -C -Command -command ", runs: " -File -file -f ",
	}
)

// interpreters holds them by name; versions behind a name are taken off.
var interpreters = map[string]interpreter{
	"python":    pythonGrammar,
	"pypy":      pythonGrammar,
	"ipython":   pythonGrammar,
	"perl":      {grammar: grammar{values: "eEI", glued: "MmCDFixV"}, code: " -e -E ", runs: " -V -v ", ticks: true},
	"ruby":      {grammar: grammar{values: "eIrCE", glued: "FiKTWx"}, code: " -e ", ticks: true},
	"node":      nodeGrammar,
	"nodejs":    nodeGrammar,
	"bun":       nodeGrammar,
	"deno":      {grammar: grammar{values: "c", long: " --config --import-map "}, words: " eval "},
	"php":       {grammar: grammar{values: "rfBRFEdczSt", long: " --run --file --define --server --docroot "}, code: " -r -B -R -E --run ", runs: " -f -F -S --file --server -m -i --ini ", ticks: true},
	"lua":       luaGrammar,
	"luajit":    luaGrammar,
	"tclsh":     {},
	"Rscript":   {grammar: grammar{values: "e"}, code: " -e "},
	"osascript": {grammar: grammar{values: "el"}, code: " -e "},
	"pwsh":      pwshGrammar,
}

// startWords are how code of many languages starts a program.
var startWords = []string{
	"os.system", "os.exec", "os.spawn", "os.posix_spawn", "os.startfile", "os.execute", "io.popen", "subprocess", "popen", "Popen", "pty.spawn", "getoutput",
	"child_process", "execSync", "execFile", "spawnSync", "spawn(", "Bun.spawn", "Deno.run", "Deno.Command", "exec(", "system(", "system2(", `exec "`, "exec '",
	`system "`, "system '", "system qw", "exec qw", "shell_exec", "passthru", "proc_open", "pcntl_exec", "Open3", "do shell script", "Start-Process",
	"Invoke-Expression", "iex ", "iex(",
}

// tickWords are how the languages do that also have backticks for it.
var tickWords = []string{"qx(", "qx{", "qx[", "qx/", "qx'", "qx|", "qx!", "%x(", "%x{", "%x[", "%x|", "exec ", "system $", "system$", "system @"}

// methodWords are names that mean something else behind these words, as the method
// of a pattern, or what asks for the system's name.
var methodWords = map[string]string{"exec(": ".", "eval(": ".", "system(": "platform."}

// removeWords are how such code removes files.
var removeWords = []string{
	"rmtree", "rm_rf", "rm_r", "unlink", "remove_tree", "os.remove", "os.rmdir", "removedirs", "rmSync", "rmdirSync", "fs.rm(", "fs.rmdir", "fs.promises.rm",
	"FileUtils.rm", "File.delete", "Dir.rmdir", "Dir.delete", "rmdir(", "rimraf", "Remove-Item", "Deno.remove", "file.remove",
}

// connectWords are how such code opens a connection; with a shell behind it, the
// shell is given away.
var connectWords = []string{"socket", "Socket", "TCPSocket", "fsockopen", "net.connect", "createConnection", "/inet/tcp/", "TcpClient", "TCPClient"}

// shellWords are how such code names a shell, or gives its streams to one.
var shellWords = []string{"/bin/sh", "/bin/bash", "/bin/zsh", "/bin/dash", "cmd.exe", "powershell", "'sh'", `"sh"`, "'bash'", `"bash"`, "fdopen(", "dup2("}

// fetchWords are how such code downloads what it may then run.
var fetchWords = []string{
	"urlopen", "urllib", "requests.get", "open-uri", "URI.open", "Net::HTTP", "LWP", "http.get", "https.get", "fetch(", "file_get_contents('http",
	`file_get_contents("http`, "DownloadString",
}

// evalWords are how such code runs text as code.
var evalWords = []string{"exec(", "eval(", "eval ", "Function(", "Invoke-Expression", "iex ", "iex("}

// forkWords and loopWords together are how such code starts itself over and over.
var (
	forkWords = []string{"fork()", "fork while", "{fork}", "{ fork }"}
	loopWords = []string{"while", "loop", "for(;;)", "for (;;)"}
)

// homeWords are how such code names a home directory.
var homeWords = []string{"homedir()", "Path.home()", "Dir.home", "$env:HOME"}
