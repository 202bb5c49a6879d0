package mend

// environmentSignatures are complaints about where the program runs: they say
// neither that it works nor that it is broken.
var environmentSignatures = []signature{
	{name: "environment.display", kind: EvidenceEnvironment, phrases: []string{
		"cannot open display", "can't open display", "could not open display", "unable to open display", "no display name", "$display",
		"could not connect to display", "unable to init server", "failed to open display", "cannot connect to x server", "no display",
		"display variable", "wayland", "failed to create window", "could not initialize sdl", "gtk_init",
	}},
	{name: "environment.terminal", kind: EvidenceEnvironment, phrases: []string{
		"not a tty", "not a terminal", "must be run from a terminal", "inappropriate ioctl for device", "error opening terminal",
		"unknown terminal", "term environment variable not set", "terminal is not", "no controlling terminal", "requires a terminal",
		"controlling terminal", "could not open a new tty", "open /dev/tty", "stdin is not", "standard input is not", "standard output is not",
		"unable to initialize frontend", "cannot determine your user name", "no username associated",
	}},
	{name: "environment.root", kind: EvidenceEnvironment, phrases: []string{
		"must be root", "must be run as root", "must run as root", "run this as root", "run as root", "run as the root", "are you root",
		"need to be root", "need root", "requires root", "require root", "root privileges", "root privilege", "superuser", "super user",
		"only root", "be the super-user", "operation not permitted", "no new privileges", "must be setuid", "effective uid",
		"insufficient privileges", "not privileged", "should be owned by", "is owned by uid",
	}},
	{name: "environment.filesystem", kind: EvidenceEnvironment, phrases: []string{
		"read-only file system", "permission denied", "no space left on device", "cannot create directory", "could not create directory",
	}},
	{name: "environment.network", kind: EvidenceEnvironment, phrases: []string{
		"network is unreachable", "temporary failure in name resolution", "could not resolve host", "name or service not known",
		"connection refused", "cannot connect to", "can't connect to", "could not connect", "couldn't connect", "failed to connect",
		"unable to connect", "no such host", "getaddrinfo", " enotfound", "'enotfound", "eai_again", // not FileNotFoundError
	}},
	{name: "environment.service", kind: EvidenceEnvironment, phrases: []string{
		"is the docker daemon running", "not been booted with systemd", "failed to get d-bus connection", "no such device",
		"cannot autolaunch d-bus", "no such process", "/dev/", "daemon is not running", "daemon not running",
	}},
}

// complaintSignatures are how a program that runs rejects what it was given.
var complaintSignatures = []signature{
	{name: "complaint.option", kind: EvidenceWorking, phrases: []string{
		"unrecognized option", "unrecognised option", "unknown option", "invalid option", "illegal option", "no such option", "bad option",
		"unsupported option", "not an option", "wrong option", "undefined option", "unexpected option", "invalid options", "unknown options",
		"unknown long option", "unrecognized long option", "unknown short option", "option *not recognized", "option *not recognised",
		"unknown flag", "unrecognized flag", "invalid flag", "illegal flag", "bad flag", "unsupported flag", "flag provided but not defined",
		"unknown shorthand flag", "flag: help requested", "unknown switch", "invalid switch", "unrecognized switch", "illegal switch", "bad switch",
		"unknown argument", "unrecognized argument", "unexpected argument", "invalid argument", "illegal argument", "bad argument",
		"unrecognised argument", "unsupported argument", "unknown or invalid argument", "unhandled argument", "unknown arg", "invalid arg",
		"unknown parameter", "unrecognized parameter", "invalid parameter", "illegal parameter", "bad parameter",
		"unknown command", "unrecognized command", "invalid command", "illegal command", "no such command", "unknown subcommand",
		"unrecognized subcommand", "invalid subcommand", "unknown action", "invalid action", "unknown keyword", "unknown mode",
		"not a valid option", "not a valid argument", "not a valid command", "not a recognized", "not recognized", "is not a valid", "is not valid",
		"is not a command", "is not an option", "is ambiguous", "ambiguous option", "not supported", "did you mean", "isn't a valid",
		"unexpected positional", "unexpected parameter", "unknown opt", "invalid opt", "unknown primary", "unknown predicate",
		"not understood", "don't understand", "do not understand", "does not accept", "doesn't accept", "unexpected token", "unknown input",
		"unknown verb", "could not find command", "couldn't find command", "unknown or ", "misused option", "no command", "unknown operation", "invalid operation", "unknown task", "unknown target", "unknown function", "illegal threshold",
	}},
	{name: "complaint.arity", kind: EvidenceWorking, phrases: []string{
		"missing operand", "extra operand", "missing argument", "missing pattern", "missing file", "missing required arg", "missing option",
		"missing command", "missing parameter", "missing expression", "missing input", "missing output", "missing name", "missing host",
		"too many arguments", "too few arguments", "not enough arguments", "insufficient arguments", "wrong number of arg",
		"incorrect number of arg", "incorrect number of file", "invalid number of arg", "number of arguments", "too many parameters", "too few parameters",
		"accepts no ", "takes no ", "no arguments", "no parameters", "arguments are required", "argument is required", "required argument",
		"requires an argument", "requires at least", "requires exactly", "expected argument", "expected at least", "expects ",
		"error in the arguments", "argument error", "args error", "wrong # args", "wrong#args", "usage error", "invalid usage", "incorrect usage", "bad usage",
		"must specify", "must be specified", "need to specify", "please specify", "please provide", "must provide", "must supply", "must give",
		"no input file", "no files specified", "no file specified", "no filename", "no file name", "no command specified",
		"no command given", "no url",
	}},
	{name: "complaint.argument", kind: EvidenceWorking, phrases: []string{
		"no such file or directory", "cannot open", "can't open", "could not open", "couldn't open", "unable to open", "failed to open",
		"error opening", "cannot read", "can't read", "could not read", "unable to read", "failed to read", "cannot stat", "cannot access",
		"can't access", "can't stat", "could not stat", "does not exist", "doesn't exist", "not exist", "not a file", "not a directory",
		"not a regular file", "not found", "no such", "is not a number", "not a number", "cannot find", "can't find", "could not find",
		"couldn't find", "unable to find", "cannot load", "can't load", "could not load", "couldn't load", "failed to load", "unable to load",
		"cannot process", "cannot parse", "could not parse", "unable to parse", "failed to parse", "parse error", "syntax error", "bad format",
		"cannot change", "couldn't change", "could not change", "ignoring unknown", "not specified", "cannot determine", "filenotfounderror",
	}},
}

// usageSignatures mark the lines from which a help text is read.
var usageSignatures = []signature{
	{name: "usage", kind: EvidenceWorking, phrases: []string{
		"usage", "synopsis", "syntax", "when run by", "invocation:", "uso:", "aufruf:", "utilisation", "verwendung",
	}},
	{name: "options", kind: EvidenceWorking, lineStart: true, phrases: []string{
		"options:", "options are", "optional arguments:", "positional arguments:", "arguments:", "commands:", "available commands", "subcommands:",
		"flags:", "global options", "general options", "option:", "command:", "parameters:", "switches:", "where options", "where:", "actions:",
	}},
	{name: "version", kind: EvidenceWorking, phrases: []string{"version"}},
}
