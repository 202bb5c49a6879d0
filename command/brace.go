package command

// bracer finds braces that stand round a comma or two dots, in one word. What is
// inside an inner pair is inside the outer one too, so the outermost says it all.
// A pair without a comma divides nothing, and then bash takes a later brace for
// the end: {a} is text, {a},{b} is, and {a},b} is two words. Some that bash leaves
// alone, as {a,{b}, are found too.
type bracer struct {
	first  int // the first { of the word; -1 if there is none
	outer  int // the outermost { that is open
	depth  int // how many are open
	branch int // the last comma or two dots; -1 if there is none
}

// newBracer returns a bracer at the start of a word.
func newBracer() bracer { return bracer{first: -1, branch: -1} }

// see looks at a bare byte at pos with the one behind it, and returns where the
// list begins that it ends, or -1.
func (b *bracer) see(c, next byte, pos int) int {
	switch c {
	case '{':
		if b.depth == 0 {
			b.outer = pos
		}
		if b.first < 0 {
			b.first = pos
		}
		b.depth++
	case ',':
		b.branch = pos
	case '.':
		if next == '.' {
			b.branch = pos
		}
	case '}':
		opener := b.outer
		if b.depth == 0 {
			opener = b.first
		}
		b.depth = max(b.depth-1, 0)
		if opener >= 0 && b.branch > opener {
			return opener
		}
	}
	return -1
}
