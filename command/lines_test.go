package command_test

import (
	"math/rand/v2"
	"strings"
)

// lineSource makes random lines that are rich in what shells act on, most of them
// nearly or truly plain commands. The same seed makes the same lines.
type lineSource struct{ *rand.Rand }

func newLineSource(seed uint64) lineSource {
	return lineSource{rand.New(rand.NewPCG(seed, 0x6d656e64))}
}

var (
	plainPieces = strings.Fields(`a b ab r x X A 1 0 12 -x --x -- . .. / a/b d/ = == : :: + % @ ^ - _ , ] } { ! # ~ $ {version} {a} {} {{a}} {1..3} {a..c} {a,b} },a}
		a=b A= X=a X=a:b X+=a --x=a 1=a -x=~ a:~ a~ ~a a# !a a! [ [a a[ a] {a } a} .. ... a, ,a if fi in do case time function coproc then [[ ]] ( $. $/ $, $% $+ $= $: $^ $~ $] $}
		\$a \\ \" \' \* \? \[ \{ \} \~ \# \! \; \& \| \< \> \( \) \a \n \0 é ü “ ” – \é \$( \$'`)
	insideSingle = strings.Fields("a b ~ * ? [ ] { } , .. $ $a $( ${a} ` \\ \\\\ \\' \" # ! ; & | < > ( ) = : é - %")
	insideDouble = strings.Fields("a b ~ * ? [ ] { } , .. $ $. $' \\$ \\$a \\` \\\" \\\\ \\a \\n \\' \\! \\* \\~ ' '' # ! ; & | < > ( ) = : é - %")
	anyBytes     = " \t\n\r\\\"'`$~#*?[]{}(),.;&|<>!=:+-%^@/_abrxX019\x80\x81\x82\x83\x84\x86\x87\x88\x8f\xa0\xc2\xc3\xa9\xe2\xff"
	firstWords   = strings.Fields(`i\f 'if' i''f "if" ifx xif if= \! '!' !! !a ! { '{' {a {} } }a ]] [[a [a ] = =a == +=a 1a=b a-b=c a.b=c a\=b a'='b 'a'=b "a"=b a''=b \a=b
		a"=b" a'+='b a+b=c -a=b é @=a ^ , + - -- ~ '~' \~ #a \#a '#' $ '$a' \$a \$ 12 1 0 ti\me 'time' coprocx fo\r 'do' \do "" '' {version} {a}b a:b a,b`)
	silences = []string{
		"2>&1", "2>&1", "2>& 1", "1>&2", ">&2", ">/dev/null", "> /dev/null", "2>/dev/null", "2> /dev/null", "&>/dev/null", "&> /dev/null",
		">&/dev/null", "< /dev/null", "</dev/null", "|| true", "||true", "|| :", "; true", ";true", "|| exit 0", "; exit 0", "| cat", "|cat",
		">a", "| r", "2>&3", "|| r", "; r", "&& true", "&", ">", "|", "||", ";", "2>&1a", "'2>&1'", "2>\"/dev/null\"", "\\>/dev/null",
	}
)

func pick[T any](g lineSource, from []T) T { return from[g.IntN(len(from))] }

// line returns a random line; one in six starts the recorder by a word of its own,
// and one in three sets variables for it.
func (g lineSource) line() string {
	var b strings.Builder
	b.WriteString(pick(g, []string{"", "", "", "", " ", "\t", "\n", "\r\n"}))
	kind := g.IntN(6)
	if kind >= 4 {
		g.assignments(&b)
	}
	if kind >= 3 {
		b.WriteString(pick(g, []string{"r", `'r'`, `"r"`, `\r`, `r''`, `""r`, `"r"''`}))
		g.blanks(&b)
	}
	for n := 1 + g.IntN(5); n > 0; n-- {
		g.word(&b)
		g.blanks(&b)
	}
	b.WriteString(pick(g, []string{"", "", "", "", " ", "\n", "\r\n", "\n\n"}))
	return g.spoil(b.String())
}

// commandLine returns a random line whose first word looks like a part of a
// shell's grammar.
func (g lineSource) commandLine() string {
	var b strings.Builder
	if g.IntN(3) > 0 {
		b.WriteString(pick(g, firstWords))
	}
	if g.IntN(3) > 0 {
		b.WriteByte(' ')
	}
	for n := g.IntN(3); n > 0; n-- {
		g.word(&b)
		g.blanks(&b)
	}
	return g.spoil(b.String())
}

// silencedLine returns a random line with redirections and other ends in it.
func (g lineSource) silencedLine() string {
	var b strings.Builder
	for n := 2 + g.IntN(4); n > 0; n-- {
		if g.IntN(2) == 0 {
			g.word(&b)
		} else {
			b.WriteString(pick(g, silences))
		}
		if g.IntN(5) > 0 {
			g.blanks(&b)
		}
	}
	for n := g.IntN(3); n > 0; n-- {
		b.WriteString(pick(g, silences[:23]))
		g.blanks(&b)
	}
	return b.String()
}

func (g lineSource) blanks(b *strings.Builder) {
	b.WriteString(pick(g, []string{" ", " ", " ", "  ", "\t"}))
}

// assignments writes words that set variables which the recorder knows, and some
// that do not.
func (g lineSource) assignments(b *strings.Builder) {
	for n := 1 + g.IntN(3); n > 0; n-- {
		b.WriteString(pick(g, []string{"A=", "A=", "a=", "X=", "_1=", "_1=", "A+=", "A''=", "A\\=", "1A="}))
		if g.IntN(6) > 0 {
			g.word(b)
		}
		g.blanks(b)
	}
}

// word writes a word of one to four pieces.
func (g lineSource) word(b *strings.Builder) {
	for n := 1 + g.IntN(2) + g.IntN(3); n > 0; n-- {
		switch g.IntN(10) {
		case 0, 1, 2, 3, 4, 5:
			b.WriteString(pick(g, plainPieces))
		case 6:
			g.inside(b, "'", insideSingle)
		case 7, 8:
			g.inside(b, `"`, insideDouble)
		case 9:
			b.WriteByte('\\')
			b.WriteByte(anyBytes[g.IntN(len(anyBytes))])
		}
	}
}

// inside writes quoted text, some of it with blanks and ends of lines.
func (g lineSource) inside(b *strings.Builder, quote string, from []string) {
	b.WriteString(quote)
	for n := g.IntN(4); n > 0; n-- {
		b.WriteString(pick(g, from))
		if g.IntN(4) == 0 {
			b.WriteString(pick(g, []string{" ", "\t", "\n", "  "}))
		}
	}
	b.WriteString(quote)
}

// spoil changes a byte or two in every third line.
func (g lineSource) spoil(line string) string {
	if line == "" || g.IntN(3) > 0 {
		return line
	}
	b := []byte(line)
	for n := 1 + g.IntN(2); n > 0 && len(b) > 0; n-- {
		at, c := g.IntN(len(b)), anyBytes[g.IntN(len(anyBytes))]
		switch g.IntN(3) {
		case 0:
			b[at] = c
		case 1:
			b = append(b[:at], b[at+1:]...)
		case 2:
			b = append(b[:at], append([]byte{c}, b[at:]...)...)
		}
	}
	return string(b)
}

// randomTrials returns n accepted lines.
func randomTrials(seed uint64, n int) []trial {
	g := newLineSource(seed)
	trials := make([]trial, 0, n)
	for len(trials) < n {
		if tr, ok := newTrial(g.line()); ok {
			trials = append(trials, tr)
		}
	}
	return trials
}

// shortTrials returns every accepted line of up to length bytes of the alphabet.
func shortTrials(alphabet string, length int) []trial {
	var trials []trial
	lines := []string{""}
	for range length {
		var longer []string
		for _, line := range lines {
			for i := range len(alphabet) {
				longer = append(longer, line+alphabet[i:i+1])
			}
		}
		lines = longer
		for _, line := range lines {
			if tr, ok := newTrial(line); ok {
				trials = append(trials, tr)
			}
		}
	}
	return trials
}
