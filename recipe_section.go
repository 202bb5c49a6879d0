package mend

// verifyHome is the form in which a document writes its verify section. TOML
// allows only one of them in one document.
type verifyHome int

const (
	verifyAbsent verifyHome = iota
	verifyBelow             // [verify.x] or [[verify.additional]], and nothing of its own
	verifyHeader            // [verify]
	verifyDotted            // verify.command = …, before the first header
	verifyInline            // verify = { command = … }
)

// verifyText is where the verify section of a document stands.
type verifyText struct {
	doc        *tomlDocument
	home       verifyHome
	statements []int         // all that belong to it, in order
	homes      []int         // those that are [verify] or verify = { … }
	table      tomlTable     // its own assignments
	blocks     []verifyBlock // the [[verify.additional]]
}

// verifyBlock is one [[verify.additional]], with the tables below it.
type verifyBlock struct {
	statements []int
	table      tomlTable
}

// locateVerify finds the verify section of a document.
func locateVerify(doc *tomlDocument) *verifyText {
	v := &verifyText{doc: doc, table: tomlTable{doc: doc, header: -1}}
	for i := range doc.statements {
		st := &doc.statements[i]
		path := st.path // of the header that the statement is, or stands under
		if st.kind == tomlAssignment && st.header >= 0 {
			path = doc.statements[st.header].path
		}
		switch {
		case path == nil && st.key[0] == "verify":
			v.addRoot(i)
		case path != nil && path[0] == "verify":
			v.addBelow(i, path)
		}
	}
	return v
}

// addRoot adds an assignment that stands before the first header.
func (v *verifyText) addRoot(i int) {
	v.statements = append(v.statements, i)
	if st := &v.doc.statements[i]; len(st.key) == 1 {
		v.home = verifyInline
		v.homes = append(v.homes, i)
		v.table.list = scanList(v.doc.src, st.value)
		return
	}
	v.home = max(v.home, verifyDotted)
	v.table.prefix = "verify."
	v.table.put(i)
}

// addBelow adds a header, or an assignment under one. The path is the header's.
func (v *verifyText) addBelow(i int, path []any) {
	v.statements = append(v.statements, i)
	v.home = max(v.home, verifyBelow)
	if len(path) == 1 {
		v.home = max(v.home, verifyHeader)
		if v.doc.statements[i].kind != tomlAssignment {
			v.homes = append(v.homes, i)
		}
		v.table.put(i)
		return
	}
	if path[1] != "additional" || len(path) == 2 {
		return
	}
	index, ok := path[2].(int)
	if !ok {
		return
	}
	if index == len(v.blocks) {
		v.blocks = append(v.blocks, verifyBlock{table: tomlTable{doc: v.doc, header: -1}})
	}
	block := &v.blocks[index]
	block.statements = append(block.statements, i)
	if len(path) == 3 {
		block.table.put(i)
	}
}

// twice returns the first statement that defines again what another one defines,
// and the dotted key concerned, which is "" if there is none. Such a document is
// no valid TOML, but the TOML reader lets it pass and loses one of the two.
func (v *verifyText) twice() (statement int, key string) {
	switch {
	case v.home == verifyInline && len(v.statements) > 1:
		return v.statements[1], "verify"
	case v.home == verifyDotted && len(v.homes) > 0:
		return v.homes[0], "verify"
	}
	var lists []int
	depth := min(len(v.table.prefix), 1)
	for _, i := range v.table.lines {
		if v.doc.statements[i].key[depth] == "additional" {
			lists = append(lists, i)
		}
	}
	if len(v.blocks) > 0 {
		lists = append(lists, v.blocks[0].statements[0])
	}
	if len(lists) > 1 {
		return max(lists[0], lists[1]), "verify.additional"
	}
	return 0, ""
}

// array returns the items of additional = [ … ], or nil if it is not written so.
func (v *verifyText) array() *tomlList {
	value, ok := v.table.value("additional")
	if !ok {
		return nil
	}
	return scanList(v.doc.src, value)
}
