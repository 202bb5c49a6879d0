package command

// word is one word as the program rules see it: without quotes, and with notes on
// what a shell would put in or read in another way.
type word struct {
	raw  string // as it stands in the text that was read, with quotes
	text string // without quotes; parts that nobody can know are left out

	// Offsets in text; -1 if there is no such thing.
	unknown int // where the first part stood that nobody can know
	home    int // where a home directory stands, written as ~
	glob    int // where the last bare * ? or [ stands

	subs   []substitution // the commands in it, in order
	quoted bool           // it has a quote, a backslash or an expansion
	time   bool           // it is the bare word that shells take for their own

	start, end int // of the linted line; of nested text, the word that holds it
}

// substitution is a command whose output, or whose stream, a shell puts into a
// word.
type substitution struct {
	list   *list
	kind   byte // $ for $(…), ` for backticks, < and > for streams
	nested bool // the commands are text of their own
	remote bool // a downloader runs in it; set when the commands have been looked at
}

// plainWord returns a word that means what it says.
func plainWord(text string, start, end int) word {
	return word{raw: text, text: text, unknown: -1, home: -1, glob: -1, start: start, end: end}
}

// unknownWord returns a word of which nothing is known, at the place of another.
func unknownWord(at word) word {
	return word{raw: at.raw, unknown: 0, home: -1, glob: -1, start: at.start, end: at.end}
}

// known reports whether all of the word's text is known.
func (w *word) known() bool { return w.unknown < 0 }

// is reports whether the word is just that text.
func (w *word) is(text string) bool { return w.unknown < 0 && w.text == text }

// at returns the word with another's place in the line.
func (w word) at(place word) word {
	w.start, w.end = place.start, place.end
	return w
}

// from returns what is behind the first n bytes of the word's text, as the value
// of --name=value. It has no substitutions of its own.
func (w word) from(n int) word {
	w.text = w.text[n:]
	if w.known() {
		w.raw = w.text
	}
	if w.unknown >= 0 {
		w.unknown = max(w.unknown-n, 0)
	}
	w.home = max(w.home-n, -1)
	w.glob = max(w.glob-n, -1)
	return w
}

// remote reports whether a downloader runs in one of the word's substitutions.
func (w *word) remote() bool {
	for i := range w.subs {
		if w.subs[i].remote {
			return true
		}
	}
	return false
}

// streams reports whether the word is what <(…) stands for.
func (w *word) streams() bool {
	return len(w.subs) > 0 && w.subs[0].kind == '<' && w.unknown == 0
}
