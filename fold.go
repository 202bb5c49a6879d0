package mend

import (
	"regexp"
	"strings"
	"sync"
)

// FoldText returns what a failure prints as it would read after any other run of
// it, on one line and in small letters: times, dates, durations, identifiers,
// addresses and other numbers become marks, an absolute path becomes its last
// element, and of blanks one stays. What tells failures apart stays: names,
// relative paths, and how many things failed.
//
// Both loops that stop when a failure comes back compare text that was folded so.
func FoldText(output string) string {
	var b strings.Builder
	for line := range strings.Lines(PlainText(output)) {
		if words := strings.Fields(line); len(words) > 0 {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			foldLine(&b, strings.ToLower(strings.Join(words, " ")))
		}
	}
	return b.String()
}

// foldLine writes one line folded. The expression is asked only where something else
// than an ordinary word begins: most of an output is ordinary words.
func foldLine(b *strings.Builder, text string) {
	f := folding()
	looked := 0 // where what was looked at last ends
	for i := 0; i < len(text); {
		if n := plainStart(text[i:]); n > 0 {
			b.WriteString(text[i : i+n])
			i += n
			if isLower(text[i-1]) {
				looked = i
			}
			continue
		}
		from := max(looked, i-1) // one more, since it matters what stands before
		at := f.FindStringSubmatchIndex(text[from:])
		if at == nil {
			b.WriteString(text[i:])
			return
		}
		b.WriteString(text[i : from+at[0]])
		for k, form := range foldForms {
			if at[2*k+2] >= 0 {
				b.WriteString(form.fold(text[from+at[0] : from+at[1]]))
			}
		}
		i = from + at[1]
		looked = i
	}
}

// plainStart returns the length of what a text begins with and no form changes: a byte
// that begins none, or a word, without what would make it a path, a date or a count.
// It is 0 where the forms have to be tried.
func plainStart(text string) int {
	switch c := text[0]; {
	case isLower(c):
	case isDigit(c), strings.IndexByte(`_~@+-./\#`, c) >= 0, strings.HasPrefix(text, "ℹ"), strings.HasPrefix(text, "::"):
		return 0
	default:
		return 1
	}
	n := 1
	for n < len(text) && isLower(text[n]) {
		n++
	}
	if n < len(text) {
		switch c := text[n]; {
		case isDigit(c), strings.IndexByte(`_~@+-./\`, c) >= 0:
			return 0
		case c == ':' && n+1 < len(text) && strings.IndexByte(`:/\`, text[n+1]) >= 0:
			return 0
		}
	}
	for _, lead := range foldLeads {
		if strings.HasPrefix(text[:n], lead) {
			return 0
		}
	}
	return n
}

// foldLeads are how words begin that are part of a form with what follows them. A form
// that begins with a word of its own needs it here; TestFoldPassesOverPlainWords tells.
var foldLeads = []string{
	"mon", "tue", "wed", "thu", "fri", "sat", "sun",
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
	"fail", "error", "problem", "not",
}

// foldForm is one kind of text that is looked for, and what becomes of it.
type foldForm struct {
	text string // a regular expression without groups that capture
	fold func(string) string
}

// foldForms are tried in order where a text begins that no earlier one has taken.
// Names and relative paths are taken whole, so that numbers in them stay.
var foldForms = []foldForm{
	{`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`, foldTo("<uuid>")},
	{foldTime, foldTo("<time>")},
	{foldCount, keep},
	{`[a-z][a-z0-9+.-]*://[^\s"'<>]+`, foldDigits},
	{`(?:\b[a-z]:)?(?:[\\/][^\s\\/:*?"'` + "`" + `<>|()\[\]{},;=]+)+[\\/]?`, foldPath},
	{`\b0x[0-9a-f]+\b|\b[0-9a-f]{6,}\b`, foldHex},
	{`\b[0-9]+(?:[.,][0-9]+)*(?: ?(?:ns|µs|μs|us|ms|msecs?|milliseconds?|s|secs?|seconds?|mins?|minutes?|hrs?|hours?)|[mh])(?: ?[0-9]+(?:\.[0-9]+)?(?:ms|s|m|secs?|mins?))*\b`, foldTo("<duration>")},
	{`--- fail: \S+|\bnot ok [0-9]+$|(?:(?:[\w.@~+-]*[\\/])*[\w@~+-]*[a-z_~][\w.@+-]*)?(?:::[\w.-]+(?:\[[^\]\s]*\])?)+`, keep}, // names of tests, with what they are given
	{`\.{0,2}(?:[\w.@~+-]*[\\/])+[\w.@~+-]*|[@~+-]*[a-z_~][\w.@~+-]*`, foldName},
	{`[0-9]+(?:,[0-9]{3}\b)*(?:\.[0-9]+)*`, foldTo("<n>")},
}

// foldTime finds points of time, from a date with all its parts to the minute.
const foldTime = `\b[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}(?:[t _][0-9]{2}[:_-]?[0-9]{2}(?:[:_-]?[0-9]{2}(?:[.,_][0-9]+)?)?)?(?:z\b| ?[+-][0-9]{2}:?[0-9]{2}\b| (?:utc|gmt)\b)?` +
	`|\b[0-9]{8}t[0-9]{6}z?\b` +
	`|\b[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{4}\b` +
	`|(?:\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?\b(?:[0-9]{1,2}[ /-])?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[ /-][0-9]{1,4}(?:,? [0-9]{4})?(?:[ :][0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?(?: (?:utc|gmt|[+-][0-9]{4}))?(?: [0-9]{4})?\b` +
	`|\b[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?(?: ?[ap]m)?\b|\b[0-9]{1,2}:[0-9]{2} ?[ap]m\b`

// foldCount finds how many things failed: 2 failed, 3 tests failed, failures: 1.
const foldCount = `\b[0-9]+(?: (?:of|out of) [0-9]+| ?/ ?[0-9]+)? (?:(?:[a-z]{3,}s|test|spec|example|suite|file|case|check|type|previous|other|lint|syntax|compilation)(?:\(s\))? ){0,2}` +
	`(?:failed|failures?|failing|fails?|errors?|errored|problems?|broken)\b` +
	`|\bfailed [0-9]+ (?:(?:of|out of) [0-9]+ )?(?:tests?|specs?|suites?|examples?|cases?|checks?)\b` +
	`|\b(?:failures|failure|failed|failing|errors|fail|problems)(?: (?:tests?|specs?|suites?|examples?|cases?|checks?))? ?[:=] ?[0-9]+\b|(?:^|[#ℹ] )fail [0-9]+\b`

// folding is all forms in one expression, a group for each.
var folding = sync.OnceValue(func() *regexp.Regexp {
	texts := make([]string, len(foldForms))
	for i, form := range foldForms {
		texts[i] = "(" + form.text + ")"
	}
	return regexp.MustCompile(strings.Join(texts, "|"))
})

func keep(s string) string { return s }

func foldTo(mark string) func(string) string { return func(string) string { return mark } }

// foldHex folds what is a number to the base of 16 for sure: it has a digit and a
// letter, or says so.
func foldHex(s string) string {
	switch {
	case strings.HasPrefix(s, "0x"):
		return "<hex>"
	case !strings.ContainsAny(s, "0123456789"):
		return s
	case !strings.ContainsAny(s, "abcdef"):
		return "<n>"
	}
	return "<hex>"
}

// foldName keeps a name or a relative path, unless it is made of numbers. What is
// hung on a name, as in job-48213 and web-7d9f8b6c5, is folded.
func foldName(s string) string {
	switch {
	case !strings.ContainsFunc(s, func(c rune) bool { return 'a' <= c && c <= 'z' || c == '_' }):
		return foldDigits(s)
	case strings.ContainsAny(s, `/\`):
		return s
	}
	at := strings.LastIndexByte(s, '-')
	tail := s[at+1:]
	switch {
	case at <= 0 || strings.Trim(tail, "0123456789abcdef") != "":
		return s
	case strings.Trim(tail, "0123456789") == "" && len(tail) >= 4:
		return s[:at+1] + "<n>"
	case len(tail) >= 6:
		return s[:at+1] + foldHex(tail)
	}
	return s
}

// foldDigits writes each run of digits as a mark.
func foldDigits(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			b.WriteByte(s[i])
			continue
		}
		for i+1 < len(s) && isDigit(s[i+1]) {
			i++
		}
		b.WriteString("<n>")
	}
	return b.String()
}

// foldPath returns the last element of an absolute path. Of a temporary one even
// that is a name made up, if it lies right below the directory for such.
func foldPath(s string) string {
	elements := strings.FieldsFunc(s, func(c rune) bool { return c == '/' || c == '\\' })
	if n := tempElements(elements); n > 0 {
		if len(elements) <= n+1 {
			return "<tmp>"
		}
		return "<tmp>/" + foldDigits(elements[len(elements)-1])
	}
	last := elements[len(elements)-1]
	if at := foldInName().FindStringIndex(last); at != nil {
		last = last[:at[0]] + "<time>" + last[at[1]:]
	}
	return "/" + last
}

// foldInName finds a point of time in a file's name.
var foldInName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9]{4}-?[0-9]{2}-?[0-9]{2}[t_-][0-9]{2}[_.-]?[0-9]{2}[_.-]?[0-9]{2}(?:[_.-][0-9]+)?z?`)
})

// tempElements returns how many elements at the start of an absolute path name a
// directory for temporary files, 0 if it leads elsewhere.
func tempElements(elements []string) int {
	path := strings.Join(elements, "/")
	for _, dir := range []string{"tmp", "var/tmp", "private/tmp", "dev/shm"} {
		if strings.HasPrefix(path+"/", dir+"/") {
			return strings.Count(dir, "/") + 1
		}
	}
	for i, e := range elements {
		switch {
		case e == "t" && i >= 3 && elements[i-3] == "folders": // of macOS
			return i + 1
		case e == "temp" && i >= 1 && elements[i-1] == "local": // of Windows
			return i + 1
		}
	}
	return 0
}
