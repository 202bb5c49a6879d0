package mend

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// ParseRecipe reads a recipe: TOML in UTF-8, with or without a byte order mark.
// The keys that [Recipe] names must have its types, and exit_code must be from 0
// to 255. None of them is required, and unknown keys, modes and version formats
// are kept.
//
// Every error is a *[ParseError]; its Err is a toml.ParseError if the TOML reader
// found the fault. Brackets and keys of more than 32 levels are an error too. The
// recipe does not keep data.
func ParseRecipe(data []byte) (*Recipe, error) {
	doc := scanTOML(append([]byte{}, data...)) // not bytes.Clone: raw has to be non-nil
	if err := decodable(doc); err != nil {
		return nil, err
	}
	var root map[string]any
	if _, err := toml.Decode(string(doc.src), &root); err != nil {
		return nil, syntaxError(doc, err)
	}
	d := recipeDecoder{doc: doc}
	r := &Recipe{raw: doc.src}
	r.Metadata = d.metadata(root)
	r.Steps = d.steps(root)
	r.parsed = d.verify(root)
	if d.err == nil {
		if i, key := locateVerify(doc).twice(); key != "" {
			d.fail(doc.statements[i].body.start, key, "is defined twice")
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	if r.parsed != nil {
		r.Verify = r.parsed.clone()
	}
	return r, nil
}

// decodable returns an error for what the TOML reader should not see.
func decodable(doc *tomlDocument) error {
	d := recipeDecoder{doc: doc}
	if bad := invalidUTF8(doc.src); bad >= 0 {
		d.fail(bad, "", fmt.Sprintf("byte 0x%02x is not valid UTF-8", doc.src[bad]))
		return d.err
	}
	if doc.tooDeep >= 0 {
		d.fail(doc.tooDeep, "", fmt.Sprintf("nested deeper than %d levels", maxNesting))
		return d.err
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// syntaxError gives the TOML reader's error an address.
func syntaxError(doc *tomlDocument, err error) error {
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return &ParseError{Line: 1, Column: 1, Reason: errorReason(err.Error()), Err: err}
	}
	// Only the offset can be relied on: the reader's line is that of the end of a
	// multi-line string, and one less than it should be if the line ends in CRLF.
	line, column := doc.position(doc.begin + parse.Position.Start)
	e := &ParseError{Line: line, Column: column, Key: parse.LastKey, Reason: errorReason(parse.Message), Err: err}
	// A key that is not the last one stands in the message.
	if rest, ok := strings.CutPrefix(parse.Message, "Key '"); ok {
		if i := strings.LastIndex(rest, "' "); i >= 0 {
			e.Key, e.Reason = rest[:i], errorReason(rest[i+2:])
		}
	}
	return e
}

// errorReason returns a message in the form of the project's own: no capital in
// front unless it is an abbreviation's, no full stop, control characters escaped.
func errorReason(message string) string {
	first, size := utf8.DecodeRuneInString(message)
	second, _ := utf8.DecodeRuneInString(message[size:])
	if !unicode.IsUpper(second) {
		message = string(unicode.ToLower(first)) + message[size:]
	}
	message = strings.TrimSuffix(message, ".")
	if strings.IndexFunc(message, unicode.IsControl) < 0 {
		return message
	}
	var b strings.Builder
	for _, r := range message {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// recipeDecoder takes typed values out of decoded TOML. It keeps the first
// error; what it returns afterwards does not count.
type recipeDecoder struct {
	doc *tomlDocument
	err error
}

func (d *recipeDecoder) fail(offset int, key, reason string) {
	if d.err == nil {
		line, column := d.doc.position(offset)
		d.err = &ParseError{Line: line, Column: column, Key: key, Reason: reason}
	}
}

// mistyped fails because of the type of the value at path.
func (d *recipeDecoder) mistyped(path []any, want string, got any) {
	if d.err == nil {
		d.fail(d.doc.find(path), dottedKey(path), fmt.Sprintf("must be %s, not %s", want, tomlType(got)))
	}
}

func (d *recipeDecoder) metadata(root map[string]any) Metadata {
	m, _ := d.table(root, nil, "metadata")
	path := []any{"metadata"}
	return Metadata{
		Name:          d.text(m, path, "name"),
		Description:   d.text(m, path, "description"),
		Homepage:      d.text(m, path, "homepage"),
		VersionFormat: d.text(m, path, "version_format"),
	}
}

func (d *recipeDecoder) steps(root map[string]any) []Step {
	tables := d.tables(root, nil, "steps")
	if len(tables) == 0 {
		return nil
	}
	steps := make([]Step, len(tables))
	for i, table := range tables {
		steps[i].Action = d.text(table, []any{"steps", i}, "action")
		for key, value := range table {
			if key == "action" {
				continue
			}
			if steps[i].Params == nil {
				steps[i].Params = make(map[string]any, len(table))
			}
			steps[i].Params[key] = plainArrays(value)
		}
	}
	return steps
}

func (d *recipeDecoder) verify(root map[string]any) *VerifySection {
	table, ok := d.table(root, nil, "verify")
	if !ok {
		return nil
	}
	path := []any{"verify"}
	v := &VerifySection{
		Command:       d.text(table, path, "command"),
		Pattern:       d.text(table, path, "pattern"),
		Patterns:      d.texts(table, path, "patterns"),
		Mode:          d.text(table, path, "mode"),
		VersionFormat: d.text(table, path, "version_format"),
		Reason:        d.text(table, path, "reason"),
		ExitCode:      d.exitCode(table, path, "exit_code"),
	}
	for i, check := range d.tables(table, path, "additional") {
		at := []any{"verify", "additional", i}
		v.Additional = append(v.Additional, AdditionalVerify{
			Command: d.text(check, at, "command"),
			Pattern: d.text(check, at, "pattern"),
		})
	}
	return v
}

// text returns a string, or "" if the table at path has none of that name.
func (d *recipeDecoder) text(table map[string]any, path []any, name string) string {
	value, ok := table[name]
	text, isText := value.(string)
	if ok && !isText {
		d.mistyped(pathBelow(path, name), "a string", value)
	}
	return text
}

// texts returns an array of strings, nil if it is empty.
func (d *recipeDecoder) texts(table map[string]any, path []any, name string) []string {
	value, ok := table[name]
	if !ok {
		return nil
	}
	array, ok := value.([]any)
	if !ok {
		d.mistyped(pathBelow(path, name), "an array of strings", value)
	}
	var texts []string
	for i, value := range array {
		text, ok := value.(string)
		if !ok {
			d.mistyped(pathBelow(path, name, i), "a string", value)
		}
		texts = append(texts, text)
	}
	return texts
}

func (d *recipeDecoder) exitCode(table map[string]any, path []any, name string) *int {
	value, ok := table[name]
	if !ok {
		return nil
	}
	n, ok := value.(int64)
	if !ok {
		d.mistyped(pathBelow(path, name), "an integer", value)
	} else if n < 0 || n > 255 {
		path = pathBelow(path, name)
		d.fail(d.doc.find(path), dottedKey(path), fmt.Sprintf("must be from 0 to 255, not %d", n))
	}
	code := int(n)
	return &code
}

// table returns a table, and whether there is one.
func (d *recipeDecoder) table(parent map[string]any, path []any, name string) (map[string]any, bool) {
	value, ok := parent[name]
	table, isTable := value.(map[string]any)
	if ok && !isTable {
		d.mistyped(pathBelow(path, name), "a table", value)
	}
	return table, isTable
}

// tables returns an array of tables, in either of the forms that TOML has.
func (d *recipeDecoder) tables(parent map[string]any, path []any, name string) []map[string]any {
	value, ok := parent[name]
	if !ok {
		return nil
	}
	if tables, ok := value.([]map[string]any); ok {
		return tables
	}
	array, ok := value.([]any)
	if !ok {
		d.mistyped(pathBelow(path, name), "an array of tables", value)
	}
	tables := make([]map[string]any, len(array))
	for i, value := range array {
		if tables[i], ok = value.(map[string]any); !ok {
			d.mistyped(pathBelow(path, name, i), "a table", value)
		}
	}
	return tables
}

// pathBelow returns path with more parts, without touching it.
func pathBelow(path []any, parts ...any) []any {
	return append(path[:len(path):len(path)], parts...)
}

// dottedKey returns the key that a path leads through, without its indexes.
func dottedKey(path []any) string {
	var key toml.Key
	for _, part := range path {
		if name, ok := part.(string); ok {
			key = append(key, name)
		}
	}
	return key.String()
}

// tomlType names the type of a decoded value.
func tomlType(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a float"
	case bool:
		return "a boolean"
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "an array of tables"
	default:
		return "an array"
	}
}

// plainArrays turns arrays of tables into arrays, at any depth.
func plainArrays(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = plainArrays(value)
		}
	case []any:
		for i, value := range v {
			v[i] = plainArrays(value)
		}
	case []map[string]any:
		array := make([]any, len(v))
		for i, table := range v {
			array[i] = plainArrays(table)
		}
		return array
	}
	return v
}
