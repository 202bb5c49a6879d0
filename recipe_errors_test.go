package mend_test

// recipeErrors are documents that ParseRecipe has to reject, and where.
var recipeErrors = []struct {
	doc          string
	line, column int
	key, reason  string
}{
	// No UTF-8.
	{"a\xffb = 1\n", 1, 2, "", "byte 0xff is not valid UTF-8"},
	{"x = \"\ufffd\"\ny = \"\xc3(\"\n", 2, 6, "", "byte 0xc3 is not valid UTF-8"},
	{"x = 1\n# \xe2\x82", 2, 3, "", "byte 0xe2 is not valid UTF-8"},

	// No TOML.
	{"\ufeffx =\n", 1, 4, "x", "expected value but found '\\n' instead"},
	{"x = 1\r\ny = 'a\r\n'\r\n", 2, 7, "y", "strings cannot contain newlines"},
	{"[verify]\ncommand \"x\"\n", 2, 9, "verify", "expected '.' or '=', but got '\"' instead"},
	{"[verify]\ncommand = \"x\n\"\n", 2, 13, "verify.command", "strings cannot contain newlines"},
	{"[verify]\n\ncommand = \"\\q\"\n", 3, 12, "verify.command", "invalid escape in string '\\q'"},
	{"a = 1\na = 2\n", 2, 1, "a", "has already been defined"},
	{"a = '''\n\n'''\na = 2\n", 4, 1, "a", "has already been defined"},
	{"[a]\n[b]\n[a]\n", 3, 2, "a", "has already been defined"},
	{"[metadata]\nname = 1e400\n", 2, 8, "metadata.name", "1e400 is out of range for float64"},
	{"x = 0b\n", 1, 5, "x", "not a binary number: '0b\\n'"},
	{"x = \"\x01\"", 1, 5, "x", "TOML files cannot contain control characters: '0x01'"},
	{"\"\\q\" = 1\n", 1, 2, "", "invalid escape in string '\\q'"},
	{"x = 08", 1, 5, "x", "invalid integer \"08\": cannot have leading zeroes"},

	// A key of the wrong type.
	{"verify = 5\n", 1, 10, "verify", "must be a table, not an integer"},
	{"verify = [1]\n", 1, 10, "verify", "must be a table, not an array"},
	{"[[verify]]\ncommand='x'\n", 1, 1, "verify", "must be a table, not an array of tables"},
	{"[verify]\n  command = 5\n", 2, 13, "verify.command", "must be a string, not an integer"},
	{"[verify.command]\nx=1\n", 1, 1, "verify.command", "must be a string, not a table"},
	{"verify.command.x = true\n", 1, 1, "verify.command", "must be a string, not a table"},
	{"verify = { pattern = [] }\n", 1, 22, "verify.pattern", "must be a string, not an array"},
	{"verify = {\n  'mode' = 1.5,\n  mode2 = 1 }\n", 2, 12, "verify.mode", "must be a string, not a float"},
	{"verify = { x.y = 1, reason.a.b = 1 }\n", 1, 21, "verify.reason", "must be a string, not a table"},
	{"\ufeffverify.reason = 1979-05-27 # c\n", 1, 17, "verify.reason", "must be a string, not a date or time"},
	{"[verify]\nversion_format = true\n", 2, 18, "verify.version_format", "must be a string, not a boolean"},
	{"[verify]\npatterns = \"x\"\n", 2, 12, "verify.patterns", "must be an array of strings, not a string"},
	{"[verify]\npatterns = [\n  \"a\", # b\n  2 ]\n", 4, 3, "verify.patterns", "must be a string, not an integer"},
	{"[verify]\nexit_code = \"x\"\n", 2, 13, "verify.exit_code", "must be an integer, not a string"},
	{"[verify]\nexit_code = 256\n", 2, 13, "verify.exit_code", "must be from 0 to 255, not 256"},
	{"[verify]\nexit_code = -1\n", 2, 13, "verify.exit_code", "must be from 0 to 255, not -1"},
	{"[verify]\nadditional = 1\n", 2, 14, "verify.additional", "must be an array of tables, not an integer"},
	{"[verify]\nadditional = [{}, 1]\n", 2, 19, "verify.additional", "must be a table, not an integer"},
	{"[verify.additional]\n", 1, 1, "verify.additional", "must be an array of tables, not a table"},
	{"[[verify.additional]]\n[[verify.additional]]\n pattern = {}\n", 3, 12, "verify.additional.pattern",
		"must be a string, not a table"},
	{"verify.additional = [{command='a'}, { pattern = 1 }]\n", 1, 49, "verify.additional.pattern",
		"must be a string, not an integer"},
	{"[verify]\n[[verify.additional]]\n[[verify.additional.command]]\n", 3, 1, "verify.additional.command",
		"must be a string, not an array of tables"},
	{"steps = 1\n", 1, 9, "steps", "must be an array of tables, not an integer"},
	{"[steps]\n", 1, 1, "steps", "must be an array of tables, not a table"},
	{"steps = [1]", 1, 10, "steps", "must be a table, not an integer"},
	{"[[steps]]\n[[steps]]\naction = 5\n", 3, 10, "steps.action", "must be a string, not an integer"},
	{"[[steps]]\naction = '[[steps]]'\n[steps.a]\n[[steps]]\n\taction = 5\n", 5, 11, "steps.action",
		"must be a string, not an integer"},
	{"steps = [{}, {action = []}]\n", 1, 24, "steps.action", "must be a string, not an array"},
	{"metadata = 'x'", 1, 12, "metadata", "must be a table, not a string"},
	{"[metadata]\nname = 1\n", 2, 8, "metadata.name", "must be a string, not an integer"},
	{"metadata.homepage = []\n", 1, 21, "metadata.homepage", "must be a string, not an array"},
	{"[[metadata]]\n", 1, 1, "metadata", "must be a table, not an array of tables"},
	{"[metadata.name]\n", 1, 1, "metadata.name", "must be a string, not a table"},

	// What the TOML reader lets pass, and loses a value of.
	{"verify.command = \"x\"\nverify = 5\n", 2, 1, "verify", "is defined twice"},
	{"verify.command=\"x\"\n[verify]\npattern=\"y\"\n", 2, 1, "verify", "is defined twice"},
	{"verify={command=\"x\"}\nverify.pattern=\"y\"\n", 2, 1, "verify", "is defined twice"},
	{"verify={}\n[verify.extra]\n", 2, 1, "verify", "is defined twice"},
	{"[[verify.additional]]\ncommand=\"a\"\n[verify]\nadditional=[{command=\"b\"}]\n", 4, 1, "verify.additional",
		"is defined twice"},
	{"[[verify.additional]]\n[verify]\nadditional.pattern=\"b\"\n", 3, 1, "verify.additional", "is defined twice"},
}
