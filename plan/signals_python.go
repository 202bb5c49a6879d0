package plan

// What python, its test runners and its environment managers print.
var pythonSignals = []signal{
	{CodeMissingScript, "python", `\S*python\S*: can't open file <N>`, givenPath},
	{CodeMissingScript, "tox", `(?:ERROR:\s+)?unknown environment <N>`, givenWord},
	{CodeMissingScript, "tox", `(?:\w+: HandledError\| )?provided environments not found\b`, nil},
	{CodeMissingScript, "tox", `(?:ERROR:\s+)?tox config file .*not found`, nil},
	{CodeMissingScript, "nox", `(?:nox > )?Sessions not found\b`, nil},
	{CodeMissingScript, "nox", `(?:nox > )?Failed to load Noxfile .*no such file`, nil},
	{CodeMissingScript, "poetry", `Poetry could not find a pyproject\.toml`, nil},
	{CodeMissingScript, "uv pdm hatch", `(?:error: )?No <q>?pyproject\.toml<q>? found`, nil},
	{CodeMissingScript, "pipenv", `(?:Error: )?No Pipfile present\b`, nil},

	{CodeNoTestFiles, "python", `(?:=+ )?no tests ran in\b`, nil},
	{CodeNoTestFiles, "python", `ERROR: (?:file or directory )?not found: `, nil},
	{CodeNoTestFiles, "python", `NO TESTS RAN$`, nil},
	{CodeNoTestFiles, "python", `ImportError: Start directory is not importable\b`, nil},
	{nothingRan, "python", `Ran 0 tests in\b`, nil},

	{CodeEnvironmentIssue, byFree + "python", `Failed to establish a new connection`, nil},
	{CodeEnvironmentIssue, byFree + "python java ruby php", `Temporary failure in name resolution|Name or service not known|nodename nor servname provided`, nil},
	{CodeEnvironmentIssue, byFree + "python", `failed to lookup address information`, nil},

	{CodeSetupIssue, "python", `(?:ModuleNotFoundError|ImportError): No module named\b`, nil},
	{CodeSetupIssue, "python", `\S*python\S*: No module named\b`, nil},
	{CodeSetupIssue, "python", `(?:InvocationError for command )?could not find executable\b`, nil},
	{CodeSetupIssue, "python", `InterpreterNotFound\b|\S+: (?:skipped because )?could not find python interpreter\b`, nil},
	{CodeSetupIssue, "python", `Command not found: \S`, nil},
	{CodeSetupIssue, "python", `error: Failed to spawn: `, nil},
	{CodeSetupIssue, "python", `(?:Error: )?(?:the command .* )?could not be found within PATH or Pipfile`, nil},
	{CodeSetupIssue, "python", `nox > (?:Program \S+ not found|Session .*: Python interpreter \S+ not found)`, nil},
	{CodeSetupIssue, "python", `\[PdmUsageError\]: Command .* is not found in your PATH`, nil},
	{CodeSetupIssue, "python", `pkg_resources\.\w+: The .* distribution was not found`, nil},
}
