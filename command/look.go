package command

import (
	"encoding/json"
	"strings"
)

// look says what a text is that is no command, by its first line; the span is of
// the part that gives it away. The detail is "" if it may be one. Nothing is taken
// out of such a text and run: half of an answer may be another command.
func look(text string) (detail string, start, end int) {
	for _, mark := range marks {
		if i := strings.Index(text, mark); i >= 0 {
			return detailMark, i, i + len(mark)
		}
	}
	start = len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	body := strings.TrimRight(text[start:], " \t\r\n")
	first, _, _ := strings.Cut(body, "\n")
	first = strings.TrimRight(first, " \t\r")
	end = start + len(first)
	switch {
	case strings.HasPrefix(first, fence):
		return detailFence, start, start + len(fence)
	case isJSON(body):
		return detailJSON, start, end
	case isOutput(first):
		return detailOutput, start, end
	case isProse(first):
		return detailProse, start, end
	}
	if n := promptLen(first); n > 0 {
		return detailPrompt, start, start + len(strings.TrimRight(first[:n], " \t"))
	}
	if first != "" && first[0] == '-' {
		return detailNoProgram, start, start + len(firstField(first))
	}
	return "", 0, 0
}

// marks stand where a sanitizer took something out.
var marks = [...]string{"[REDACTED]", "[IP]", "[EMAIL]"}

// fence begins and ends code in markup.
const fence = "```"

// isJSON reports whether a text is, or begins like, an object, or is a list with
// something in it. A test of the shell begins with a bracket too.
func isJSON(body string) bool {
	if strings.HasPrefix(body, `{"`) {
		return true
	}
	if body[0] != '{' && body[0] != '[' || !json.Valid([]byte(body)) {
		return false
	}
	return strings.Trim(body, "{}[] \t\r\n") != ""
}

// isOutput reports whether a line is one that a program prints: of ls, wc and df, of a
// shell that found no program, and under a label that models put over it.
func isOutput(first string) bool {
	fields := strings.Fields(first)
	lower := strings.ToLower(first)
	switch {
	case len(fields) == 2 && fields[0] == "total" && isNumber(fields[1]),
		isMode(fields[0]),
		len(fields) >= 3 && isNumber(fields[0]) && isNumber(fields[1]) && isNumber(fields[2]),
		isPercentage(fields[0]),
		strings.HasSuffix(fields[0], ":") && (strings.HasSuffix(lower, ": not found") || strings.HasSuffix(lower, ": command not found")):
		return true
	}
	for _, label := range [...]string{"output:", "result:", "results:", "usage: "} {
		if strings.HasPrefix(lower, label) {
			return true
		}
	}
	_, rest, found := strings.Cut(lower, ": command not found: ")
	return found && rest != ""
}

// isNumber reports whether a word is made of digits.
func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// isPercentage reports whether a word is a number and a percent sign, with a sign of
// punctuation behind it or without.
func isPercentage(word string) bool {
	number, ok := strings.CutSuffix(strings.TrimRight(word, ",;"), "%")
	return ok && number != "" && strings.Trim(number, "0123456789.") == "" && number[0] != '.'
}

// isMode reports whether a word is what ls -l writes first.
func isMode(word string) bool {
	const types, length = "-dlbcps", 10
	word = strings.TrimRight(word, "+@.")
	return len(word) == length && strings.IndexByte(types, word[0]) >= 0 && strings.Trim(word[1:], "rwxsStT-") == ""
}

// opening is how sentences begin in which an answer wraps a command: a first word,
// and what has to follow it.
type opening struct {
	words string // each with a blank on both sides
	signs string // one of these has to stand behind the word; "" if none
	next  string // one of these has to be the next word, each with a blank on both sides; "" if none
}

// openings are those that no program's name begins. Words that are programs on some
// system, as note and answer, need the colon that makes them a label, and words that
// might be arguments the one that follows in a sentence.
var openings = [...]opening{
	{" here ", "", " is are "},
	{" here's here’s ", "", ""},
	{" sure certainly absolutely okay ok great ", ",.!", ""},
	{" the ", "", " command following "},
	{" this ", "", " command "},
	{" you ", "", " can could should "},
	{" to ", "", " check verify test "},
	{" i ", "", " would will suggest recommend "},
	{" i'll i’ll i'd i’d ", "", ""},
	{" use run try ", "", " the "},
	{" command answer note explanation ", ":", ""},
}

// isProse reports whether a line is the beginning of a sentence.
func isProse(first string) bool {
	words := strings.Fields(strings.ToLower(first))
	if words[0] == "of" && len(words) > 1 && strings.HasPrefix(words[1], "course") {
		return len(words[1]) > len("course") && strings.IndexByte(",.!", words[1][len("course")]) >= 0
	}
	word := strings.TrimRight(words[0], ",.!:")
	sign := strings.TrimPrefix(words[0], word)
	for _, o := range openings {
		if !hasName(o.words, word) || o.signs != "" && (sign == "" || strings.IndexByte(o.signs, sign[0]) < 0) || o.signs == "" && sign != "" {
			continue
		}
		if o.next == "" || len(words) > 1 && hasName(o.next, words[1]) && continues(words) {
			return true
		}
	}
	return false
}

// continues reports whether the words behind an opening of two go on as those of a
// sentence do. There may be programs named to and use, and their arguments are anything.
func continues(words []string) bool {
	switch words[0] {
	case "to":
		return len(words) > 2 && hasName(" the that if whether ", words[2])
	case "use", "run", "try":
		return len(words) > 2 && hasName(" following command ", strings.TrimRight(words[2], ":"))
	}
	return true
}

// promptLen returns how long the prompt is, with its blanks, that a line begins
// with; 0 if there is none, no blank behind it, or nothing behind the blank. The bare
// sign of a root shell is left out: behind it a line is a comment.
func promptLen(first string) int {
	sign := 0
	for _, s := range [...]string{"$", "%", "❯", "➜"} {
		if strings.HasPrefix(first, s) {
			sign = len(s)
		}
	}
	if strings.HasPrefix(first, "PS ") {
		if i := strings.IndexByte(first, '>'); i > len("PS C:") && first[len("PS C")] == ':' && first[len("PS C:")] == '\\' {
			sign = i + 1
		}
	}
	if sign == 0 {
		sign = userPrompt(first)
	}
	rest := first[sign:]
	word := strings.TrimLeft(rest, " \t")
	if sign == 0 || word == rest || word == "" {
		return 0
	}
	return len(first) - len(word)
}

// userPrompt returns the length of USER@HOST:DIRECTORY and a sign, or 0. A slash before
// the colon makes it a path.
func userPrompt(first string) int {
	word := firstField(first)
	at, colon := strings.IndexByte(word, '@'), strings.IndexByte(word, ':')
	if at <= 0 || colon < at || strings.IndexByte("$#%", word[len(word)-1]) < 0 || strings.ContainsAny(word, "/\\") && strings.IndexByte(word, '/') < colon {
		return 0
	}
	return len(word)
}
