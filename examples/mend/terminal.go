package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// terminal is where the program prints.
type terminal struct {
	out, err io.Writer
	json     bool
	color    bool      // of out
	colorErr bool      // of err
	brief    bool      // many results are printed: what words mean is left out
	diff     io.Writer // where differences go; nil if there are none
}

func (t *terminal) setUp(o *options) {
	t.json = o.json
	switch o.color.value {
	case "always":
		t.color, t.colorErr = true, true
	case "auto":
		t.color = isTerminal(t.out) && !noColor()
		t.colorErr = isTerminal(t.err) && !noColor()
	}
}

// isTerminal reports whether a person looks at what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// object prints a line of JSON.
func (t *terminal) object(v any) error {
	enc := json.NewEncoder(t.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (t *terminal) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(t.out, format, args...)
	return err
}

// complain prints a line about what did not work.
func (t *terminal) complain(format string, args ...any) {
	fmt.Fprintf(t.err, "mend: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// style is how text is set off, in the parameters of an SGR sequence.
type style string

const (
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

// paint sets text off that goes to out, if colours are on.
func (t *terminal) paint(s style, text string) string { return s.paint(text, t.color) }

// paint sets text off.
func (s style) paint(text string, color bool) string {
	if !color || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// oneLine returns text as it can be printed within a line, whoever wrote it: what a
// terminal would act on is escaped.
func oneLine(s string) string { return visible(strings.TrimSpace(s)) }

// visible escapes what does not show.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !hidden(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// hidden reports whether a rune does not show, or changes how others do.
func hidden(r rune) bool { return r != ' ' && (!unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r)) }
