package plan

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// maxArms bounds what the groups of one pattern may multiply to.
const maxArms = 1024

// Match reports whether a pattern covers a whole path. The error says why the
// pattern is none, and where in bytes; it is never just "no match".
//
// Case counts, and names with a leading dot are like others. *, ? and [a-z],
// [!a-z] stay inside one segment. A segment ** stands for any number of segments,
// so dir/** is all that is below dir and not dir itself. {a,b} is a choice, also
// inside another. An exclamation mark before the pattern turns the answer round.
//
// In both, a backslash is a slash, and ./ and / in front do not count. The path is
// cleaned, and one that leads out of the tree matches nothing, a negated pattern
// neither. A pattern that no path could match is refused: an empty one, one that
// ends in a slash, one with a segment that is empty, . or .., ** inside a segment,
// the +(a|b) forms of some shells, a bracket or brace that is not closed, and a
// group that has nothing to choose.
func Match(pattern, path string) (bool, error) {
	g, err := compileGlob(pattern)
	if err != nil {
		return false, err
	}
	return g.match(path), nil
}

// glob is a pattern ready to be matched.
type glob struct {
	negated bool
	arms    [][]string // of segments, one for each choice of its groups
}

// compileGlob reads a pattern.
func compileGlob(pattern string) (*glob, error) {
	g := &glob{}
	body := strings.ReplaceAll(pattern, `\`, "/")
	for strings.HasPrefix(body, "!") && !strings.HasPrefix(body, "!(") {
		body, g.negated = body[1:], !g.negated
	}
	body = withoutLead(body)
	at := len(pattern) - len(body)
	if body == "" {
		return nil, fmt.Errorf("bad pattern %q: it names nothing", pattern)
	}
	err := checkGlob(body)
	var arms []string
	if err == nil {
		arms, err = expandGroups(body)
	}
	for _, arm := range arms {
		segments, bad := globSegments(arm)
		if err == nil && bad != nil {
			err = bad
		}
		g.arms = append(g.arms, segments)
	}
	if err != nil {
		var placed *globFault
		if errors.As(err, &placed) {
			return nil, fmt.Errorf("bad pattern %q at byte %d: %s", pattern, at+placed.at, placed.reason)
		}
		return nil, fmt.Errorf("bad pattern %q: %w", pattern, err)
	}
	return g, nil
}

// globFault is what is wrong at a byte of a pattern's body.
type globFault struct {
	at     int
	reason string
}

func (e *globFault) Error() string { return e.reason }

// withoutLead drops ./ and / from the front.
func withoutLead(s string) string {
	for {
		switch {
		case strings.HasPrefix(s, "./"):
			s = s[2:]
		case strings.HasPrefix(s, "/"):
			s = s[1:]
		default:
			return s
		}
	}
}

// checkGlob looks for what can be told from the body as it is written.
func checkGlob(body string) error {
	open := []int{} // where the groups that are open begin
	commas := []int{}
	for i := 0; i < len(body); i++ {
		switch c := body[i]; c {
		case '[':
			end, err := classEnd(body, i)
			if err != nil {
				return err
			}
			i = end
		case '(':
			if i > 0 && strings.IndexByte("?*+@!", body[i-1]) >= 0 {
				return &globFault{i - 1, "such a group is not known; write {a,b}"}
			}
		case '{':
			open, commas = append(open, i), append(commas, 0)
		case ',':
			if n := len(commas); n > 0 {
				commas[n-1]++
			}
		case '}':
			n := len(open)
			if n == 0 {
				continue
			}
			if commas[n-1] == 0 {
				return &globFault{open[n-1], "a group needs a comma"}
			}
			open, commas = open[:n-1], commas[:n-1]
		}
	}
	if len(open) > 0 {
		return &globFault{open[0], "a group is not closed"}
	}
	return nil
}

// classEnd returns the offset of the bracket that closes the class at i.
func classEnd(s string, i int) (int, error) {
	j := i + 1
	if j < len(s) && (s[j] == '!' || s[j] == '^') {
		j++
	}
	for first := j; j < len(s) && s[j] != '/'; {
		switch {
		case s[j] == ']' && j > first:
			return j, nil
		case strings.HasPrefix(s[j:], "[:"):
			return 0, &globFault{j, "classes of characters have no names"}
		}
		lo, n := utf8.DecodeRuneInString(s[j:])
		j += n
		if j+1 < len(s) && s[j] == '-' && s[j+1] != ']' && s[j+1] != '/' {
			hi, n := utf8.DecodeRuneInString(s[j+1:])
			if hi < lo {
				return 0, &globFault{j - 1, "a range runs backwards"}
			}
			j += 1 + n
		}
	}
	return 0, &globFault{i, "a bracket is not closed"}
}

// expandGroups writes a body out for each choice of its groups.
func expandGroups(body string) ([]string, error) {
	done := []string{}
	for todo := []string{body}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		before, arms, after := firstGroup(s)
		if arms == nil {
			done = append(done, s)
		}
		for _, arm := range arms {
			todo = append(todo, before+arm+after)
		}
		if len(done)+len(todo) > maxArms {
			return nil, fmt.Errorf("its groups have more than %d choices", maxArms)
		}
	}
	return done, nil
}

// firstGroup returns the arms of the first group, and what stands round it.
func firstGroup(s string) (before string, arms []string, after string) {
	start, depth, arm := -1, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			i, _ = classEnd(s, i)
		case c == '{':
			if depth++; depth == 1 {
				start, arm = i, i+1
			}
		case c == ',' && depth == 1:
			arms = append(arms, s[arm:i])
			arm = i + 1
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				return s[:start], append(arms, s[arm:i]), s[i+1:]
			}
		}
	}
	return s, nil, ""
}

// globSegments divides one choice, and refuses segments that nothing can match.
func globSegments(arm string) ([]string, error) {
	segments := strings.Split(arm, "/")
	for i, s := range segments {
		switch {
		case s == "" && i == len(segments)-1:
			return nil, errors.New("it ends in a slash")
		case s == "":
			return nil, errors.New("a segment is empty")
		case s == "." || s == "..":
			return nil, fmt.Errorf("no path has a segment %s", s)
		case s != "**" && starsTwice(s):
			return nil, errors.New("** stands for whole segments")
		}
	}
	return segments, nil
}

// starsTwice reports whether two asterisks stand side by side, outside a class.
func starsTwice(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '[' {
			if end, err := classEnd(s, i); err == nil {
				i = end
				continue
			}
		}
		if s[i] == '*' && s[i+1] == '*' {
			return true
		}
	}
	return false
}

// match reports whether the pattern covers the path.
func (g *glob) match(name string) bool {
	name, ok := cleanPath(name)
	if !ok {
		return false
	}
	segments := strings.Split(name, "/")
	for _, arm := range g.arms {
		if matchSegments(arm, segments) {
			return !g.negated
		}
	}
	return g.negated
}

// cleanPath returns a path as patterns see it, and whether it lies in the tree.
func cleanPath(name string) (string, bool) {
	name = withoutLead(strings.ReplaceAll(name, `\`, "/"))
	name = path.Clean(name)
	return name, name != "." && name != ".." && !strings.HasPrefix(name, "../")
}

// matchSegments matches a whole path. After a ** that is followed by more, only
// the last one ever has to take more, as with the asterisk in a segment.
func matchSegments(pattern, segments []string) bool {
	p, s := 0, 0
	star, from := -1, 0 // the last ** and where what it took ends
	for s < len(segments) || p < len(pattern) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return s < len(segments) || p == 0
			}
			star, from = p, s
			p++
		case p < len(pattern) && s < len(segments) && matchSegment(pattern[p], segments[s]):
			p, s = p+1, s+1
		case star >= 0 && from < len(segments):
			from++
			p, s = star+1, from
		default:
			return false
		}
	}
	return true
}

// matchSegment matches one segment.
func matchSegment(pattern, s string) bool {
	p, i := 0, 0
	star, from := -1, 0
	for i < len(s) || p < len(pattern) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, i
			p++
			continue
		}
		if p < len(pattern) && i < len(s) {
			if n, width := matchOne(pattern[p:], s[i:]); n > 0 {
				p, i = p+n, i+width
				continue
			}
		}
		if star < 0 || from >= len(s) {
			return false
		}
		_, width := utf8.DecodeRuneInString(s[from:])
		from += width
		p, i = star+1, from
	}
	return true
}

// matchOne matches the first rune of s with what pattern begins with. It returns
// how many bytes both took, 0 of the pattern if they do not match.
func matchOne(pattern, s string) (taken, width int) {
	c, width := utf8.DecodeRuneInString(s)
	switch pattern[0] {
	case '?':
		return 1, width
	case '[':
		end, err := classEnd(pattern, 0)
		if err == nil && inClass(pattern[1:end], c) {
			return end + 1, width
		}
		return 0, 0
	}
	p, n := utf8.DecodeRuneInString(pattern)
	if p != c || pattern[:n] != s[:width] {
		return 0, 0
	}
	return n, width
}

// inClass reports whether a class, without its brackets, holds c.
func inClass(class string, c rune) bool {
	negated := class[0] == '!' || class[0] == '^'
	if negated {
		class = class[1:]
	}
	for class != "" {
		lo, n := utf8.DecodeRuneInString(class)
		class = class[n:]
		hi := lo
		if len(class) > 1 && class[0] == '-' {
			hi, n = utf8.DecodeRuneInString(class[1:])
			class = class[1+n:]
		}
		if lo <= c && c <= hi {
			return !negated
		}
	}
	return negated
}
