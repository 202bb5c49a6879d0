package command

import "strings"

// grammar says how a program reads its options, which is to say which words are
// options and which are their values or operands: in grep -e -P x the pattern is
// -P, and nothing is wrong with it. Programs that are in no table are read with the
// zero grammar, of which no letter has a value.
type grammar struct {
	values  string // letters whose option has a value: what is behind it in the word, or the next word
	glued   string // letters whose option has a value only if something is behind it in the word
	long    string // long options that take the next word for a value, each with a blank on both sides
	known   string // other long options that the tables know, written likewise
	flags   string // if not "", the only long options that do not take the next word
	oneDash bool   // long options have one dash, and letters do not cluster
}

// option is one option that a command line gives to a program. Each letter of a
// cluster is one, so that -rf is two options of one word.
type option struct {
	name   string // with its dashes; an abbreviation is written out
	value  word
	valued bool  // it has a value
	at     *word // the word it stands in
}

// arguments are a program's arguments, taken apart.
type arguments struct {
	options  []option
	operands []word
}

// parse takes words apart as a program with this grammar would. Options may stand
// behind operands, as nearly everywhere; unless they have to come first, as those of
// a program that starts another, and then the rest are operands. A lone dash is an
// operand, and so is a word of which the beginning is not known.
func (g *grammar) parse(words []word, first bool) arguments {
	var a arguments
	for i := 0; i < len(words); i++ {
		w := &words[i]
		switch {
		case w.text == "-" && w.unknown == 1: // options that nobody can know
		case len(w.text) < 2 || w.text[0] != '-' || w.unknown == 0:
			if first {
				a.operands = words[i:]
				return a
			}
			a.operands = append(a.operands, *w)
		case w.is("--"):
			if a.operands = append(a.operands, words[i+1:]...); first {
				a.operands = words[i+1:]
			}
			return a
		case g.oneDash || w.text[1] == '-':
			i += g.longOption(&a, w, words[i+1:])
		default:
			i += g.cluster(&a, w, words[i+1:])
		}
	}
	return a
}

// longOption takes --name, --name=value or --name value, and returns how many of
// the words behind it belong to it.
func (g *grammar) longOption(a *arguments, w *word, behind []word) int {
	name, _, valued := strings.Cut(w.text, "=")
	o := option{name: g.fullName(name), at: w, valued: valued}
	taken := 0
	switch {
	case valued:
		o.value = w.from(len(name) + 1)
	case len(behind) > 0 && (hasName(g.long, o.name) || g.flags != "" && !hasName(g.flags, o.name)):
		o.value, o.valued = behind[0], true
		taken = 1
	}
	a.options = append(a.options, o)
	return taken
}

// fullName returns the long option that a name is, or is short for. Three letters
// are enough, as long as the name itself is not one.
func (g *grammar) fullName(name string) string {
	if len(name) < len("--")+3 || name[1] != '-' || hasName(g.long, name) || hasName(g.known, name) {
		return name
	}
	for _, names := range [...]string{g.known, g.long} {
		if i := strings.Index(names, " "+name); i >= 0 {
			full, _, _ := strings.Cut(names[i+1:], " ")
			return full
		}
	}
	return name
}

// hasName reports whether a list of names, each with a blank on both sides, has
// this one.
func hasName(names, name string) bool {
	for rest := names; name != ""; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if i > 0 && rest[i-1] == ' ' && end < len(rest) && rest[end] == ' ' {
			return true
		}
		rest = rest[end:]
	}
	return false
}

// names returns a list of names, each with a blank on both sides.
func names(text string) string { return " " + strings.Join(strings.Fields(text), " ") + " " }

// cluster takes -abc, up to the letter that has a value, and returns how many of
// the words behind it belong to it.
func (g *grammar) cluster(a *arguments, w *word, behind []word) int {
	var seen [2]uint64 // letters without a value, of which one says as much as many
	for i := 1; i < len(w.text); i++ {
		c := w.text[i]
		if c < 0x80 && seen[c>>6]&(1<<(c&63)) != 0 {
			continue
		}
		o := option{name: letterOption(c), at: w}
		rest := i+1 < len(w.text) || w.unknown == i+1
		takes := strings.IndexByte(g.values, c) >= 0
		if !takes && !(rest && strings.IndexByte(g.glued, c) >= 0) {
			a.options = append(a.options, o)
			seen[c>>6&1] |= 1 << (c & 63)
			continue
		}
		taken := 0
		switch {
		case rest:
			o.value, o.valued = w.from(i+1), true
		case len(behind) > 0:
			o.value, o.valued = behind[0], true
			taken = 1
		}
		a.options = append(a.options, o)
		return taken
	}
	return 0
}

// letterOptions holds -x for every x of ASCII, so that naming one allocates nothing.
var letterOptions = func() string {
	var b strings.Builder
	for c := range byte(0x80) {
		b.WriteByte('-')
		b.WriteByte(c)
	}
	return b.String()
}()

// letterOption returns -c.
func letterOption(c byte) string {
	if c >= 0x80 {
		return "-"
	}
	return letterOptions[2*int(c) : 2*int(c)+2]
}

// find returns the last option of one of these names, each with a blank on both
// sides, and whether there is one. One that is given as =false is none.
func (a *arguments) find(names string) (option, bool) {
	for i := len(a.options) - 1; i >= 0; i-- {
		o := a.options[i]
		if hasName(names, o.name) && !(o.valued && o.value.is("false")) {
			return o, true
		}
	}
	return option{}, false
}

// has reports whether one of the options is given.
func (a *arguments) has(names string) bool {
	_, ok := a.find(names)
	return ok
}
