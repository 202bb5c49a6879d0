package plan

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// deniedCommand is an entry of [PathPolicy.DeniedCommands] that was read.
type deniedCommand struct {
	pattern *regexp.Regexp // nil for one made of words

	program  string
	options  []string
	operands []string
}

// readDenied reads an entry.
func readDenied(entry string) (*deniedCommand, error) {
	if strings.TrimSpace(entry) == "" {
		return nil, errors.New("it is blank")
	}
	if strings.ContainsAny(entry, `\^$*?|()[]{}`) || strings.Contains(entry, ".+") {
		pattern, err := regexp.Compile("(?i)" + strings.TrimSpace(entry))
		if err != nil {
			return nil, errors.New("it is no regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return &deniedCommand{pattern: pattern}, nil
	}
	words, err := command.Split(entry)
	if err != nil {
		words = strings.Fields(entry)
	}
	d := &deniedCommand{program: programName(words[0])}
	d.options, d.operands = divide(words[1:])
	return d, nil
}

// forbids reports whether the entry speaks of a command.
func (d *deniedCommand) forbids(argv []string) bool {
	if d.pattern != nil {
		rest := strings.Join(append([]string{""}, argv[1:]...), " ")
		return d.pattern.MatchString(argv[0]+rest) || d.pattern.MatchString(programName(argv[0])+rest)
	}
	if programName(argv[0]) != d.program {
		return false
	}
	options, operands := divide(argv[1:])
	for _, want := range d.options {
		if !hasOption(options, want) {
			return false
		}
	}
	return len(d.operands) == 0 || slices.ContainsFunc(rows(operands, len(d.operands)), func(row []string) bool {
		return slices.Equal(row, d.operands)
	})
}

// divide tells arguments that are options from the others. Whether an option takes
// the word behind it cannot be known, so that word counts among the others.
func divide(args []string) (options, operands []string) {
	for i, a := range args {
		switch {
		case a == "--":
			return options, append(operands, cleanOperands(args[i+1:])...)
		case len(a) > 1 && a[0] == '-':
			options = append(options, a)
		default:
			operands = append(operands, cleanOperands(args[i:i+1])...)
		}
	}
	return options, operands
}

// cleanOperands returns operands with absolute paths cleaned: // and /./ are /.
func cleanOperands(operands []string) []string {
	cleaned := make([]string, len(operands))
	for i, o := range operands {
		if cleaned[i] = o; path.IsAbs(o) {
			cleaned[i] = path.Clean(o)
		}
	}
	return cleaned
}

// rows returns all n operands that stand in a row.
func rows(operands []string, n int) [][]string {
	var all [][]string
	for i := 0; i+n <= len(operands); i++ {
		all = append(all, operands[i:i+n])
	}
	return all
}

// longOptions lists, for options of one letter, the long ones that commonly mean
// the same.
var longOptions = map[byte][]string{
	'a': {"all"},
	'd': {"delete", "detach"},
	'f': {"force"},
	'g': {"global"},
	'i': {"interactive"},
	'k': {"insecure"},
	'm': {"message"},
	'n': {"dry-run", "no-verify"},
	'p': {"parents"},
	'q': {"quiet"},
	'r': {"recursive"},
	'R': {"recursive"},
	'u': {"set-upstream"},
	'v': {"verbose"},
	'y': {"yes", "assume-yes"},
}

const (
	// maxCluster is how many letters one word of options can have to be taken for
	// several of one letter. Longer ones are names, as -delete.
	maxCluster = 4
	// minPrefix is how many bytes of a long option have to be there.
	minPrefix = 3
)

// hasOption reports whether an option is among those of a command, in whatever
// form. One that holds several letters is there if each of them is.
func hasOption(options []string, want string) bool {
	if slices.Contains(options, want) {
		return true
	}
	if name, ok := strings.CutPrefix(want, "--"); ok {
		return slices.ContainsFunc(options, func(have string) bool { return isLong(have, name) || isShortOf(have, name) })
	}
	letters := lettersOf(want)
	for i := range len(letters) {
		c := letters[i]
		if !slices.ContainsFunc(options, func(have string) bool { return meansLetter(have, c) }) {
			return false
		}
	}
	return letters != ""
}

// lettersOf returns the letters of an option such as -rf; "" if it is none.
func lettersOf(option string) string {
	letters := strings.TrimPrefix(option, "-")
	if len(letters) > maxCluster || strings.Trim(letters, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return ""
	}
	return letters
}

// isLong reports whether an option is the long one of a name, or an abbreviation
// of it that is no other option.
func isLong(have, name string) bool {
	long, ok := strings.CutPrefix(have, "--")
	if !ok {
		return false
	}
	long, _, _ = strings.Cut(long, "=")
	if long == name {
		return true
	}
	for _, others := range longOptions {
		if slices.Contains(others, long) {
			return false
		}
	}
	return len(long) >= minPrefix && strings.HasPrefix(name, long)
}

// isShortOf reports whether an option has a letter for a long one's name.
func isShortOf(have, name string) bool {
	letters := lettersOf(have)
	for i := range len(letters) {
		if slices.Contains(longOptions[letters[i]], name) {
			return true
		}
	}
	return false
}

// meansLetter reports whether an option is or holds the one of that letter.
func meansLetter(have string, c byte) bool {
	if strings.IndexByte(lettersOf(have), c) >= 0 {
		return true
	}
	for _, name := range longOptions[c] {
		if isLong(have, name) || isShortOf(have, name) {
			return true
		}
	}
	return false
}
