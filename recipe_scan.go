package mend

import (
	"bytes"
	"strconv"
	"strings"
)

// maxNesting bounds how deep brackets may nest and how many parts a key may
// have. The TOML reader recurses for each bracket, to a stack overflow that ends
// the process, and takes time cubic in the depth; no recipe needs ten.
const maxNesting = 32

// utf8BOM is the byte order mark that some editors put before the first line.
const utf8BOM = "\xef\xbb\xbf"

// tomlSpan is the range of bytes from start up to, not including, end.
type tomlSpan struct{ start, end int }

type tomlKind int

const (
	tomlAssignment  tomlKind = iota // key = value
	tomlTableHeader                 // [key]
	tomlArrayHeader                 // [[key]]
)

// tomlStatement is one assignment or header of a document, and where it stands.
type tomlStatement struct {
	kind   tomlKind
	key    []string // the parts as written, unquoted
	path   []any    // of a header: its key, with the index behind each array of tables
	header int      // of an assignment: index of the header above it, -1 if there is none
	lines  tomlSpan // its lines, from the indentation of the first behind the newline of the last
	body   tomlSpan // from the first byte of the key or bracket to the last of the value or bracket
	value  tomlSpan // of an assignment
}

// tomlDocument is where the statements of a TOML document stand.
type tomlDocument struct {
	src        []byte
	begin      int // where the first line begins: behind the byte order mark
	statements []tomlStatement
	tooDeep    int // offset where the nesting exceeds maxNesting and the scan ends, or -1
}

// scanTOML finds the statements of src. It is exact for valid TOML. For anything
// else it finds something, in linear time, and leaves it to the TOML reader to
// say what is wrong.
func scanTOML(src []byte) *tomlDocument {
	doc := &tomlDocument{src: src}
	if bytes.HasPrefix(src, []byte(utf8BOM)) {
		doc.begin = len(utf8BOM)
	}
	s := tomlScanner{src: src, pos: doc.begin, tooDeep: -1}
	header := -1
	var arrays tomlArrays
	for s.skipTrivia(); s.pos < len(src) && s.tooDeep < 0; s.skipTrivia() {
		st := s.statement()
		st.header = header
		if st.kind != tomlAssignment {
			header = len(doc.statements)
			st.path = arrays.resolve(st.key, st.kind == tomlArrayHeader)
		}
		doc.statements = append(doc.statements, st)
	}
	doc.tooDeep = s.tooDeep
	return doc
}

// position returns the line and the column of an offset, both from 1, the column
// in bytes. The byte order mark has no column.
func (d *tomlDocument) position(offset int) (line, column int) {
	offset = min(max(offset, d.begin), len(d.src))
	before := d.src[d.begin:offset]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// newline returns how the document ends its lines.
func (d *tomlDocument) newline() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indent returns the white space before the statement at i.
func (d *tomlDocument) indent(i int) string {
	st := &d.statements[i]
	return string(d.src[st.lines.start:st.body.start])
}

// tomlArrays counts the elements of a document's arrays of tables. The zero
// value is the document before its first header.
type tomlArrays struct {
	elements int // 0 for what is no array of tables
	children map[string]*tomlArrays
}

// resolve returns the path of the header with the given key. A table below an
// array of tables belongs to the array's last element so far.
func (a *tomlArrays) resolve(key []string, array bool) []any {
	path := make([]any, 0, len(key)+1)
	for i, part := range key {
		child := a.children[part]
		if child == nil {
			child = new(tomlArrays)
			if a.children == nil {
				a.children = make(map[string]*tomlArrays)
			}
			a.children[part] = child
		}
		a = child
		if array && i == len(key)-1 {
			a.elements++
			a.children = nil
		}
		path = append(path, part)
		if a.elements > 0 {
			path = append(path, a.elements-1)
		}
	}
	return path
}

// tomlScanner reads src from pos on.
type tomlScanner struct {
	src     []byte
	pos     int
	tooDeep int // see tomlDocument
}

// peek returns the next byte, or 0 at the end.
func (s *tomlScanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *tomlScanner) skipSpace() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.pos++
	}
}

// skipComment goes to the line break that ends the comment here.
func (s *tomlScanner) skipComment() {
	i := bytes.IndexByte(s.src[s.pos:], '\n')
	switch {
	case i < 0:
		s.pos = len(s.src)
	case s.src[s.pos+i-1] == '\r': // i is not 0, as the # stands there
		s.pos += i - 1
	default:
		s.pos += i
	}
}

// skipTrivia goes to the next byte that is neither white space nor comment.
func (s *tomlScanner) skipTrivia() {
	for {
		switch s.peek() {
		case ' ', '\t', '\r', '\n':
			s.pos++
		case '#':
			s.skipComment()
		default:
			return
		}
	}
}

// statement reads one statement, and goes on behind its last line.
func (s *tomlScanner) statement() tomlStatement {
	var st tomlStatement
	st.body.start = s.pos
	st.lines.start = s.pos
	for st.lines.start > 0 && isTOMLSpace(s.src[st.lines.start-1]) {
		st.lines.start--
	}
	if s.peek() == '[' {
		s.pos++
		st.kind = tomlTableHeader
		if s.peek() == '[' {
			s.pos++
			st.kind = tomlArrayHeader
		}
		st.key = s.key()
		s.pos = min(s.pos+int(st.kind-tomlAssignment), len(s.src)) // one bracket, or two
	} else {
		st.key = s.key()
		s.skipAssign()
		st.value = s.value()
	}
	st.body.end = s.pos
	if i := bytes.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		s.pos += i + 1
	} else {
		s.pos = len(s.src)
	}
	st.lines.end = s.pos
	return st
}

// key reads the parts of a key, and goes on behind the white space that follows.
func (s *tomlScanner) key() []string {
	parts := make([]string, 0, 2)
	for {
		s.skipSpace()
		if len(parts) == maxNesting {
			s.tooDeep = s.pos
			return parts
		}
		parts = append(parts, s.keyPart())
		s.skipSpace()
		if s.peek() != '.' {
			return parts
		}
		s.pos++
	}
}

func (s *tomlScanner) keyPart() string {
	start := s.pos
	quote := s.peek()
	if quote == '"' || quote == '\'' {
		s.skipLineString()
		text := strings.TrimSuffix(string(s.src[start+1:s.pos]), string(quote))
		if quote == '"' {
			return unescapeTOML(text)
		}
		return text
	}
	for isTOMLBare(s.peek()) {
		s.pos++
	}
	return string(s.src[start:s.pos])
}

// skipAssign goes behind the equals sign and the white space around it.
func (s *tomlScanner) skipAssign() {
	s.skipSpace()
	if s.peek() == '=' {
		s.pos++
	}
	s.skipSpace()
}

// value goes behind one value, and returns where it stands.
func (s *tomlScanner) value() tomlSpan {
	start := s.pos
	switch s.peek() {
	case '"', '\'':
		s.skipString()
	case '[', '{':
		s.skipBrackets()
	default:
		end := bytes.IndexAny(s.src[start:], ",]}#\r\n")
		if end < 0 {
			end = len(s.src) - start
		}
		// A date may have a space inside, so that only the last one ends the value.
		s.pos = start + len(bytes.TrimRight(s.src[start:start+end], " \t"))
	}
	return tomlSpan{start, s.pos}
}

// skipBrackets goes behind the bracket that closes the one here. It does not
// recurse, so that no input can overflow the stack.
func (s *tomlScanner) skipBrackets() {
	dots := 0 // in the key or number here
	for depth := 0; s.pos < len(s.src); {
		switch s.src[s.pos] {
		case '"', '\'':
			s.skipString()
			continue
		case '#':
			s.skipComment()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '.':
			dots++
		case '=', ',':
			dots = 0
		}
		if max(depth, dots+1) > maxNesting {
			s.tooDeep = s.pos
			return
		}
		s.pos++
		if depth == 0 {
			return
		}
	}
}

// skipString goes behind the string here, of any of the four kinds.
func (s *tomlScanner) skipString() {
	quote := s.src[s.pos]
	if s.quotes(quote) < 3 {
		s.skipLineString()
		return
	}
	s.pos += 3
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\\' && quote == '"':
			s.pos = min(s.pos+2, len(s.src))
		case c == quote:
			// Up to two quotes may stand before the three that close the string.
			n := s.quotes(quote)
			s.pos += n
			if n >= 3 {
				return
			}
		default:
			s.pos++
		}
	}
}

// skipLineString goes behind the single-line string here.
func (s *tomlScanner) skipLineString() {
	quote := s.src[s.pos]
	s.pos++
	for s.pos < len(s.src) && s.src[s.pos] != '\n' {
		switch c := s.src[s.pos]; {
		case c == '\\' && quote == '"':
			s.pos = min(s.pos+2, len(s.src))
		case c == quote:
			s.pos++
			return
		default:
			s.pos++
		}
	}
}

// quotes returns how many quotes of one kind stand here.
func (s *tomlScanner) quotes(quote byte) int {
	n := 0
	for s.pos+n < len(s.src) && s.src[s.pos+n] == quote {
		n++
	}
	return n
}

func isTOMLSpace(c byte) bool { return c == ' ' || c == '\t' }

func isTOMLBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// unescapeTOML returns the text that the inside of a basic string stands for.
func unescapeTOML(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for s != "" {
		if rest, ok := strings.CutPrefix(s, `\e`); ok { // the one escape that Go does not know
			b.WriteByte('\x1b')
			s = rest
			continue
		}
		r, _, rest, err := strconv.UnquoteChar(s, '"')
		if err != nil { // not valid TOML
			return b.String() + s
		}
		b.WriteRune(r)
		s = rest
	}
	return b.String()
}
