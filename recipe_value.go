package mend

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// tomlString returns s as a TOML string on one line: a literal string if that
// saves escapes, otherwise a basic one. What does not print is escaped, so that
// no recipe hides text from its reader. Bytes that are no UTF-8, which TOML
// cannot hold, become U+FFFD.
func tomlString(s string) string {
	s = strings.ToValidUTF8(s, string(unicode.ReplacementChar))
	prints := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if prints && strings.ContainsAny(s, `\"`) && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for _, r := range s {
		b = appendTOMLRune(b, r)
	}
	return string(append(b, '"'))
}

func appendTOMLRune(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case r == '\n':
		return append(b, `\n`...)
	case r == '\t':
		return append(b, `\t`...)
	case r == '\r':
		return append(b, `\r`...)
	case unicode.IsPrint(r):
		return append(b, string(r)...)
	case r > 0xffff:
		return fmt.Appendf(b, `\U%08X`, r)
	default:
		return fmt.Appendf(b, `\u%04X`, r)
	}
}

// tomlKey returns one part of a key, quoted if it has to be.
func tomlKey(part string) string {
	for i := range len(part) {
		if !isTOMLBare(part[i]) {
			return tomlString(part)
		}
	}
	if part == "" {
		return `""`
	}
	return part
}

// tomlStrings returns an array of strings, on one line.
func tomlStrings(list []string) string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = tomlString(s)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// tomlValue returns v on one line, tables as inline tables with their keys
// sorted. TOML has no null, so that a nil is left out of the table or array that
// it stands in. A value of a kind that TOML lacks becomes the string that fmt
// makes of it.
func tomlValue(v any) string {
	if t, ok := v.(time.Time); ok {
		return tomlTime(t)
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.String:
		return tomlString(rv.String())
	case reflect.Bool:
		return strconv.FormatBool(rv.Bool())
	case reflect.Float32, reflect.Float64:
		return tomlFloat(rv.Float())
	case reflect.Slice, reflect.Array:
		return tomlArray(rv)
	case reflect.Map:
		return tomlInlineTable(rv)
	}
	switch {
	case rv.CanInt():
		return strconv.FormatInt(rv.Int(), 10)
	case rv.CanUint():
		return strconv.FormatUint(rv.Uint(), 10)
	default:
		return tomlString(fmt.Sprint(v))
	}
}

func tomlArray(rv reflect.Value) string {
	texts := make([]string, 0, rv.Len())
	for i := range rv.Len() {
		if v := rv.Index(i).Interface(); v != nil {
			texts = append(texts, tomlValue(v))
		}
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func tomlInlineTable(rv reflect.Value) string {
	fields := make(map[string]string, rv.Len())
	for it := rv.MapRange(); it.Next(); {
		if v := it.Value().Interface(); v != nil {
			fields[tomlKey(fmt.Sprint(it.Key()))] = tomlValue(v)
		}
	}
	if len(fields) == 0 {
		return "{}"
	}
	var b strings.Builder
	for i, key := range slices.Sorted(maps.Keys(fields)) {
		b.WriteString([]string{"{ ", ", "}[min(i, 1)])
		b.WriteString(key + " = " + fields[key])
	}
	return b.String() + " }"
}

func tomlFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)) // +inf, -inf
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0" // or it would be an integer
	}
	return s
}

// tomlTime returns a date, a time or both. The TOML reader marks what has no
// offset, no date or no time by the name of its zone.
func tomlTime(t time.Time) string {
	switch t.Location().String() {
	case "datetime-local":
		return t.Format("2006-01-02T15:04:05.999999999")
	case "date-local":
		return t.Format(time.DateOnly)
	case "time-local":
		return t.Format("15:04:05.999999999")
	default:
		return t.Format(time.RFC3339Nano)
	}
}
