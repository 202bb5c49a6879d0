package mendtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// strictJSON decodes a file that people write by hand too. Unlike package json it
// takes no key that it does not know, no key twice, no null, and no key in other
// letters; and each of its errors says where.
type strictJSON struct {
	data []byte
	dec  *json.Decoder
	at   map[string]int // offset of each object, by its path
}

// read decodes data into the struct that v points to.
func (s *strictJSON) read(data []byte, v any) error {
	s.data, s.at = data, make(map[string]int)
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return s.errorf(int(syntax.Offset)-1, "", "%v", err)
		}
		return err
	}
	s.dec = json.NewDecoder(bytes.NewReader(data))
	return s.value("", reflect.ValueOf(v).Elem())
}

// errorf returns an error with a position: line and column, in bytes, from 1.
func (s *strictJSON) errorf(offset int, path, format string, args ...any) error {
	offset = max(0, min(offset, len(s.data)))
	before := s.data[:offset]
	line, column := 1+bytes.Count(before, []byte("\n")), offset-bytes.LastIndexByte(before, '\n')
	if path != "" {
		path = strings.TrimPrefix(path, ".") + ": "
	}
	return fmt.Errorf("line %d, column %d: %s%s", line, column, path, fmt.Sprintf(format, args...))
}

// objectError returns an error about the object at a path that was read.
func (s *strictJSON) objectError(path, format string, args ...any) error {
	return s.errorf(s.at[path], path, format, args...)
}

// next returns where the next token begins.
func (s *strictJSON) next() int {
	offset := int(s.dec.InputOffset())
	rest := s.data[offset:]
	return offset + len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

// open reads the bracket that a value has to begin with.
func (s *strictJSON) open(path string, bracket json.Delim, what string) error {
	at := s.next()
	tok, err := s.dec.Token()
	if err != nil {
		return err
	}
	if tok != bracket {
		return s.errorf(at, path, "is no %s", what)
	}
	return nil
}

// value decodes the next value.
func (s *strictJSON) value(path string, v reflect.Value) error {
	_, own := v.Addr().Interface().(json.Unmarshaler)
	switch {
	case own:
		return s.leaf(path, v)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return s.value(path, v.Elem())
	case v.Kind() == reflect.Struct:
		return s.object(path, v)
	case v.Kind() == reflect.Slice:
		return s.list(path, v)
	case v.Kind() == reflect.Map:
		return s.members(path, v)
	}
	return s.leaf(path, v)
}

// leaf decodes a value that package json, or its own type, is strict enough about.
func (s *strictJSON) leaf(path string, v reflect.Value) error {
	at := s.next()
	var raw json.RawMessage
	if err := s.dec.Decode(&raw); err != nil {
		return s.errorf(at, path, "%v", err)
	}
	_, any := v.Addr().Interface().(*json.RawMessage)
	if string(raw) == "null" && !any {
		return s.errorf(at, path, "is null")
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return s.errorf(at, path, "is a %s where %s is wanted", kind.Value, kind.Type)
		}
		return s.errorf(at, path, "%v", err)
	}
	return nil
}

func (s *strictJSON) object(path string, v reflect.Value) error {
	s.at[path] = s.next()
	if err := s.open(path, '{', "object"); err != nil {
		return err
	}
	fields := make(map[string]int)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	seen := make(map[string]bool)
	for s.dec.More() {
		at, key, err := s.key()
		if err != nil {
			return err
		}
		i, known := fields[key]
		switch {
		case !known:
			return s.errorf(at, path, "unknown key %q", key)
		case seen[key]:
			return s.errorf(at, path, "the key %q stands here twice", key)
		}
		seen[key] = true
		if err := s.value(path+"."+key, v.Field(i)); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

// key reads the key of a member, and returns where it begins.
func (s *strictJSON) key() (at int, key string, err error) {
	at = s.next()
	tok, err := s.dec.Token()
	if err != nil {
		return 0, "", err
	}
	key, ok := tok.(string)
	if !ok {
		return 0, "", io.ErrUnexpectedEOF // cannot be: it was valid
	}
	return at, key, nil
}

func (s *strictJSON) list(path string, v reflect.Value) error {
	if err := s.open(path, '[', "list"); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for i := 0; s.dec.More(); i++ {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := s.value(fmt.Sprintf("%s[%d]", path, i), item); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
	}
	_, err := s.dec.Token()
	return err
}

// members decodes an object whose keys are free.
func (s *strictJSON) members(path string, v reflect.Value) error {
	if err := s.open(path, '{', "object"); err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for s.dec.More() {
		at, key, err := s.key()
		if err != nil {
			return err
		}
		if v.MapIndex(reflect.ValueOf(key)).IsValid() {
			return s.errorf(at, path, "the key %q stands here twice", key)
		}
		item := reflect.New(v.Type().Elem()).Elem()
		if err := s.value(path+"."+key, item); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key), item)
	}
	_, err := s.dec.Token()
	return err
}
