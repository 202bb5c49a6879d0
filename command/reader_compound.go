package command

// reserved reads the construct that a bare first word begins, or returns nil if
// the word begins none; pos is on the word and stays there then. What is not read, as
// case, ends the reading: its patterns hold brackets without a partner, and to guess
// where its commands begin could hide some.
func (r *reader) reserved(w string) *stage {
	at := r.pos
	switch w {
	case "{":
		r.pos++
		return r.closed(&stage{}, "}", detailUnbalanced, at, at+1)
	case "if":
		return r.conditional()
	case "while", "until":
		return r.loop(&stage{}, at, at+len(w))
	case "for":
		return r.forLoop()
	case "function":
		r.pos += len(w)
		r.blanks()
		s := &stage{words: []word{r.word()}}
		if r.blanks(); r.peek(0) == '(' {
			return r.function(s)
		}
		return r.functionBody(s, at)
	case "[[":
		return r.test()
	case "case", "select", "coproc":
		r.fail(OpaqueCommand, detailConstruct, at, at+len(w))
		return &stage{}
	}
	return nil
}

// closed reads a list that a word or bracket ends, and the redirections behind it,
// which hold for every command of the list. An empty list, or one that does not end,
// has the detail given, from start to end, which is its opener. What was read of the
// list is in the stage in any case: it may be fatal.
func (r *reader) closed(s *stage, closer, detail string, start, end int) *stage {
	s.compound = true
	l := r.list()
	s.body = append(s.body, l)
	switch {
	case r.failed != nil:
		return s
	case r.pos == r.end:
		r.fail(SyntaxError, detail, start, end)
		return s
	case !r.takes(closer):
		r.unexpected()
		return s
	case len(l.pipelines) == 0:
		r.fail(SyntaxError, detail, start, r.pos)
		return s
	}
	r.redirections(s)
	return s
}

// takes goes on behind a bare word or bracket, and reports whether it stands here. A
// word in quotes is none: "fi" ends nothing.
func (r *reader) takes(closer string) bool {
	if closer == ")" && r.peek(0) == ')' || r.bare() == closer {
		r.pos += len(closer)
		return true
	}
	return false
}

// bracketed reads (…), a list, or ((…)), a sum; pos is on the first bracket. Of a sum
// only the substitutions matter, and they hang on the stage's word.
func (r *reader) bracketed() *stage {
	at := r.pos
	if r.peek(1) == '(' && arithmeticAt(r.text[at+2:r.end]) {
		w := r.newWord()
		r.pos += 2
		if !w.inside(')') {
			r.fail(SyntaxError, detailUnbalanced, at, at+2)
		}
		r.pos = min(r.pos+1, r.end)
		s := &stage{compound: true, words: []word{unknownAfter(w.finish())}}
		r.redirections(s)
		return s
	}
	r.pos++
	return r.closed(&stage{}, ")", detailUnbalanced, at, at+1)
}

// unknownAfter returns the word of something that is not a word, for what hangs on it:
// no rule may take its text for a name or a path.
func unknownAfter(w word) word {
	w.unknown = 0
	return w
}

// conditional reads if … then … elif … else … fi. Conditions and branches are all
// lists of the stage, in their order: which of them would run is not asked.
func (r *reader) conditional() *stage {
	s := &stage{compound: true}
	at := r.pos
	r.pos += len("if")
	for r.part(s, at, "then") != "" {
		switch r.part(s, at, "elif", "else", "fi") {
		case "elif":
			continue
		case "else":
			r.part(s, at, "fi")
		}
		if r.failed == nil {
			r.redirections(s)
		}
		break
	}
	return s
}

// part reads a list of an if and the word behind it, which must be one of those
// given and is returned; "" if the reading has ended. Where the text ends, it is the
// whole construct that is unclosed, so that the span is its first word's, at start; an
// empty part is an error at what stands in its place.
func (r *reader) part(s *stage, start int, closers ...string) string {
	l := r.list()
	s.body = append(s.body, l)
	switch {
	case r.failed != nil:
		return ""
	case r.pos == r.end:
		r.fail(SyntaxError, detailUnclosed, start, start+len("if"))
		return ""
	case len(l.pipelines) == 0:
		r.unexpected()
		return ""
	}
	for _, closer := range closers {
		if r.takes(closer) {
			return closer
		}
	}
	r.unexpected()
	return ""
}

// loop reads the condition of a loop, if it has one, and its body. The word that
// begins the loop spans start to end; pos is on it.
func (r *reader) loop(s *stage, start, end int) *stage {
	s.compound = true
	r.pos = end
	if condition := r.list(); r.failed == nil {
		s.body = append(s.body, condition)
		if len(condition.pipelines) == 0 && r.pos < r.end {
			r.unexpected()
			return s
		}
	}
	return r.doDone(s, start, end)
}

// doDone reads do … done, the body of a loop whose first word spans start to end.
func (r *reader) doDone(s *stage, start, end int) *stage {
	switch {
	case r.failed != nil:
		return s
	case r.pos == r.end:
		r.fail(SyntaxError, detailUnclosed, start, end)
		return s
	case !r.takes("do"):
		r.unexpected()
		return s
	}
	return r.closed(s, "done", detailUnclosed, start, end)
}

// forLoop reads for NAME in …; do … done, or for ((…)); do … done. The words of the list
// are words of the stage, for their substitutions; the variable is not followed, so
// that it is unknown in the body whatever the list says.
func (r *reader) forLoop() *stage {
	s := &stage{compound: true}
	at := r.pos
	r.pos += len("for")
	if r.blanks(); r.peek(0) == '(' {
		s = r.bracketed()
	} else {
		r.word()
	}
	r.lines()
	if r.bare() == "in" {
		r.pos += len("in")
		for r.blanks(); r.pos < r.end && (!isOperator(r.text[r.pos]) || r.streamAhead()); r.blanks() {
			s.words = append(s.words, r.word())
		}
	}
	r.blanks()
	if r.peek(0) == ';' {
		r.pos++
	}
	r.lines()
	return r.doDone(s, at, at+len("for"))
}

// function reads NAME(), whose name is the stage's word, and its body; pos is on the
// opening bracket. A bracket behind a word that is anything else is an error of all
// shells.
func (r *reader) function(s *stage) *stage {
	at := r.pos
	r.pos++
	if r.blanks(); r.peek(0) != ')' {
		r.fail(SyntaxError, ClassOperator, at, at+1)
		return s
	}
	r.pos++
	return r.functionBody(s, at)
}

// functionBody reads the command that the function is made of; the definition begins
// at an offset, which is where a missing body is noted. Any command will do, not only
// one in braces.
func (r *reader) functionBody(s *stage, at int) *stage {
	f := &stage{compound: true, function: s.words[0].text, words: s.words[:1]}
	r.lines()
	if r.failed != nil || r.closes() || !r.enter() {
		r.fail(SyntaxError, detailUnclosed, at, r.pos)
		return f
	}
	f.body = []*list{{pipelines: []pipeline{{stages: []*stage{r.command()}}}}}
	r.nest--
	return f
}

// test reads [[ … ]]. What is in it is no command, but its words may hold some. Its
// operators, and lines within, have another meaning than outside and are skipped.
func (r *reader) test() *stage {
	s := &stage{compound: true}
	at := r.pos
	r.pos += len("[[")
	for r.lines(); r.pos < r.end; r.lines() {
		switch {
		case r.bare() == "]]":
			r.pos += len("]]")
			if len(s.words) == 0 {
				r.fail(SyntaxError, detailUnbalanced, at, r.pos)
			}
			r.redirections(s)
			return s
		case isOperator(r.text[r.pos]) && !r.streamAhead():
			r.pos++
		default:
			s.words = append(s.words, r.word())
		}
	}
	if r.failed == nil {
		r.fail(SyntaxError, detailUnbalanced, at, at+len("[["))
	}
	return s
}

// redirections reads those behind a construct, each with the number of its stream if
// digits stand directly before it. Digits alone are left for whoever reads on.
func (r *reader) redirections(s *stage) {
	for r.blanks(); r.pos < r.end && r.failed == nil; r.blanks() {
		from := r.pos
		for r.pos < r.end && r.text[r.pos] >= '0' && r.text[r.pos] <= '9' {
			r.pos++
		}
		fd := r.text[from:r.pos]
		if redirectionAt(r.text[r.pos:r.end]) == "" {
			r.pos = from
			return
		}
		s.redirs = append(s.redirs, r.redirection(fd))
	}
}
