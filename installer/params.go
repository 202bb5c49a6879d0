package installer

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"github.com/mendkit/mend"
)

// params are the parameters of a step. The first that is not what it should be is
// the error of all.
type params struct {
	step    mend.Step
	replace *strings.Replacer
	err     error
}

// params returns the parameters of a step with their placeholders filled in. A version
// that the step states is that of the whole install.
func (w *work) params(s mend.Step) *params {
	p := &params{step: s}
	if version, _ := s.Params["version"].(string); version != "" {
		w.version = version
	}
	system, arch := w.opts.Platform.OS, w.opts.Platform.Arch
	pairs := []string{"{os}", p.mapped("os_mapping", system), "{arch}", p.mapped("arch_mapping", arch)}
	if w.version != "" {
		pairs = append(pairs, "{version}", w.version)
	}
	p.replace = strings.NewReplacer(pairs...)
	return p
}

// mapped returns what a step's own table has for a word, or the word.
func (p *params) mapped(table, word string) string {
	words, _ := p.step.Params[table].(map[string]any)
	mapped, _ := words[word].(string)
	return cmp.Or(mapped, word)
}

func (p *params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *params) has(key string) bool { return p.step.Params[key] != nil }

// expand fills in the placeholders.
func (p *params) expand(key, text string) string {
	text = p.replace.Replace(text)
	if i := strings.IndexByte(text, '{'); i >= 0 && strings.IndexByte(text[i:], '}') > 0 {
		p.fail(faultf("%s: there is nothing to put in place of %s", key, text[i:i+strings.IndexByte(text[i:], '}')+1]))
	}
	return text
}

// text returns a string, or "" if there is none.
func (p *params) text(key string) string {
	value, ok := p.step.Params[key].(string)
	if !ok && p.has(key) {
		p.fail(faultf("%s has to be a string, and is %v", key, p.step.Params[key]))
	}
	return p.expand(key, value)
}

// name returns a string that is the name of a file.
func (p *params) name(key string) string {
	name := p.text(key)
	if !isFileName(name) {
		p.fail(faultf("%s: %q is no name of a file", key, name))
	}
	return name
}

func isFileName(name string) bool {
	return fs.ValidPath(name) && name != "." && len(name) <= maxPart && !strings.ContainsAny(name, "/\\\x00")
}

// number returns a number from 0 to most; 0 if there is none.
func (p *params) number(key string, most int64) int {
	value, ok := p.step.Params[key].(int64)
	if !ok && p.has(key) || value < 0 || value > most {
		p.fail(faultf("%s is %v, and has to be a number from 0 to %d", key, p.step.Params[key], most))
		return 0
	}
	return int(value)
}

// paths returns a list of paths below a directory.
func (p *params) paths(key string) []string {
	var all []string
	for _, b := range p.moves(key) {
		all = append(all, b.from)
	}
	return all
}

// move is a path in the tree, and the one that is asked for beside it, or "".
type move struct{ from, to string }

// moves returns a list of paths, each a string or a table with src and dest.
func (p *params) moves(key string) []move {
	list, ok := p.step.Params[key].([]any)
	if !ok && p.has(key) {
		p.fail(faultf("%s has to be a list, and is %v", key, p.step.Params[key]))
	}
	var all []move
	for _, entry := range list {
		var m move
		switch e := entry.(type) {
		case string:
			m.from = p.path(key, e)
		case map[string]any:
			from, _ := e["src"].(string)
			to, _ := e["dest"].(string)
			m = move{p.path(key, from), p.path(key, to)}
		default:
			p.fail(faultf("%s: %v is no path", key, entry))
		}
		all = append(all, m)
	}
	return all
}

// path returns a path below the tree. A leading "./" is left out.
func (p *params) path(key, text string) string {
	name := strings.TrimPrefix(p.expand(key, text), "./")
	if !fs.ValidPath(name) || name == "." || hasLongPart(name) || strings.ContainsAny(name, "\\\x00") || path.Clean(name) != name {
		p.fail(faultf("%s: %q is no path inside the install", key, text))
	}
	return name
}
