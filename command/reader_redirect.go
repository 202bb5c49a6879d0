package command

import "strings"

// redirection is one of a command's streams led elsewhere.
type redirection struct {
	op     string // as < or >>
	fd     string // the stream before it, "" if it is the usual one
	target word   // the file, the stream or the text; of a here-document, its last line
	body   string // the text of a here-document
	at     int    // where the operator stands
}

// redirectionAt returns the redirection operator that text begins with, or "". <( and
// >( look like two of them; whoever asks has to look for those before or behind.
func redirectionAt(text string) string {
	if text == "" || text[0] != '<' && text[0] != '>' && text[0] != '&' {
		return ""
	}
	switch op := operatorAt(text); op {
	case "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">", "&>>", "&>":
		return op
	}
	return ""
}

// streamAhead reports whether a word begins at pos with <(…) or >(…).
func (r *reader) streamAhead() bool {
	c := r.peek(0)
	return (c == '<' || c == '>') && r.peek(1) == '('
}

// namesStream reports whether a word stands right before < or > and so is the
// number of a stream, or {NAME} for one.
func (r *reader) namesStream(raw string) bool {
	if c := r.peek(0); c != '<' && c != '>' || r.streamAhead() {
		return false
	}
	return strings.Trim(raw, "0123456789") == "" || raw[0] == '{' && raw[len(raw)-1] == '}' && isName(raw[1:len(raw)-1])
}

// redirection reads the redirection at pos. The text of a here-document is behind
// the end of the line, and is filled in when that is reached.
func (r *reader) redirection(fd string) *redirection {
	op := redirectionAt(r.text[r.pos:r.end])
	d := &redirection{op: op, fd: fd, at: r.pos}
	r.pos += len(op)
	r.blanks()
	if r.pos == r.end || isOperator(r.text[r.pos]) && !r.streamAhead() {
		r.fail(SyntaxError, detailRedirect, d.at, d.at+len(op))
		return d
	}
	d.target = r.word()
	if d.isDocument() {
		r.docs = append(r.docs, d)
	}
	return d
}

// isDocument reports whether the redirection is a here-document.
func (d *redirection) isDocument() bool { return d.op == "<<" || d.op == "<<-" }

// documents reads the here-documents that begin on the line at pos. Commands in
// one are kept as those of its delimiter, unless that is quoted: then a shell does not
// expand the text. Several documents of one line follow each other in the order of
// their operators.
func (r *reader) documents() {
	docs := r.docs
	r.docs = nil
	for i, d := range docs {
		from := r.pos
		next, ok := r.delimiter(d)
		if !ok {
			r.docs = docs[i:]
			r.missingDocument()
			return
		}
		d.body = r.text[from:r.pos]
		if !d.target.quoted {
			end := r.end
			r.end, r.pos = r.pos, from
			w := r.newWord()
			w.quotes++
			w.inside(0)
			d.target.subs = append(d.target.subs, w.finish().subs...)
			if r.failed != nil {
				return
			}
			r.end = end
		}
		r.pos = next
	}
}

// delimiter goes to the line that ends a here-document and returns where the next
// one begins. Behind <<- that line may be indented with tabs, and with nothing else.
func (r *reader) delimiter(d *redirection) (next int, ok bool) {
	for r.pos < r.end {
		line, _, more := strings.Cut(r.text[r.pos:r.end], "\n")
		next = r.pos + len(line)
		if more {
			next++
		}
		if d.op == "<<-" {
			line = strings.TrimLeft(line, "\t")
		}
		if line == d.target.text {
			return next, true
		}
		r.pos = next
	}
	return r.pos, false
}

// missingDocument ends the reading for a here-document whose last line is missing.
func (r *reader) missingDocument() {
	d := r.docs[0]
	r.fail(SyntaxError, ClassUnterminated, d.at, d.at+len(d.op))
}
