package mend

// find returns where the value at a path stands: strings in the path are parts
// of keys, ints are indexes of arrays. It is the value's first byte, or that of
// the key if the value is a table with a header or dotted keys; 0 if nothing
// like it is found.
func (d *tomlDocument) find(path []any) int {
	for i := range d.statements {
		st := &d.statements[i]
		at := st.path
		if st.kind == tomlAssignment {
			if st.header >= 0 {
				at = d.statements[st.header].path
			}
			at = keyBelow(at, st.key)
		}
		n := commonPath(at, path)
		switch {
		case n == len(path) && (n < len(at) || st.kind != tomlAssignment):
			return st.body.start
		case n == len(at) && st.kind == tomlAssignment:
			return d.findIn(st.value, path[n:])
		}
	}
	return 0
}

// findIn returns where the value at a path stands that begins at the given
// value.
func (d *tomlDocument) findIn(value tomlSpan, path []any) int {
	if len(path) == 0 {
		return value.start
	}
	items := scanList(d.src, value).items
	if i, ok := path[0].(int); ok {
		if i < len(items) && items[i].key == nil {
			return d.findIn(items[i].value, path[1:])
		}
		return value.start
	}
	for _, item := range items {
		key := keyBelow(nil, item.key)
		switch n := commonPath(key, path); {
		case n == len(path) && n < len(key):
			return item.body.start
		case n == len(key):
			return d.findIn(item.value, path[n:])
		}
	}
	return value.start
}

// keyBelow returns path with the parts of a key behind it, without touching it.
func keyBelow(path []any, key []string) []any {
	path = path[:len(path):len(path)]
	for _, part := range key {
		path = append(path, part)
	}
	return path
}

// commonPath returns how many parts a and b begin with in common.
func commonPath(a, b []any) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
