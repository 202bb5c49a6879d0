package command

import (
	"path"
	"strings"
)

// dd looks at the output of dd. Unlike that of others it is mostly a disk, so one that
// nobody knows is too much. With something known before its unknown part it is a file
// like those of others. Reading a disk, as if= does, harms nobody.
func (l *linter) dd(c *call, a *arguments) {
	for _, w := range a.operands {
		if !strings.HasPrefix(w.text, "of=") || w.unknown >= 0 && w.unknown < len("of=") {
			continue
		}
		if of := w.from(len("of=")); of.unknown == 0 {
			l.opaque(&c.scope, detailOperand, of)
		} else {
			l.writes(&c.scope, of, false)
		}
	}
}

// edits looks at the files that sed changes where they stand. The script is no file,
// though it may look like the path of one. Whether the option has a suffix does not
// matter: the file is another one afterwards, even if the old one is kept.
func (l *linter) edits(c *call, a *arguments) {
	if !a.has(" -i -I --in-place ") {
		return
	}
	files := a.operands
	if !a.has(" -e -f --expression --file ") && len(files) > 0 {
		files = files[1:] // the script
	}
	for _, w := range files {
		l.writes(&c.scope, w, false)
	}
}

// suffixAfter returns the index of the word that sed on a BSD takes for the suffix
// of the files it keeps, behind an -i of its own; or -1. Such a suffix is empty or
// begins with a dot; with a slash in it, it is rather a path. There has to be a word
// behind -i, and only the first -i is looked at.
func suffixAfter(words []word) int {
	for i := range words[:max(len(words)-1, 0)] {
		w := &words[i]
		if !isInPlace(w) {
			continue
		}
		if next := &words[i+1]; next.known() && (next.text == "" || next.text[0] == '.' && strings.IndexByte(next.text, '/') < 0) {
			return i + 1
		}
		return -1
	}
	return -1
}

// isInPlace reports whether a word of sed is -i with nothing behind it, alone or at the
// end of a cluster. In a cluster with a letter that takes a value, the i is the value.
func isInPlace(w *word) bool {
	return w.known() && len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-' && strings.IndexByte(w.text, 'i') == len(w.text)-1 &&
		!strings.ContainsAny(w.text, "efl")
}

// withoutSuffix returns the words of sed without the suffix that stands alone. The
// caller's words are not changed; they are returned as they are if there is none.
func withoutSuffix(words []word) []word {
	i := suffixAfter(words)
	if i < 0 {
		return words
	}
	return append(append(make([]word, 0, len(words)), words[:i]...), words[i+1:]...)
}

// downloadTo looks at a downloader and notes the files that it writes, in case the
// line runs one of them: curl writes none unless told to, wget and aria2c write what
// the address ends in. Where a file is written counts as with all other programs. Of an
// address that nobody knows no file is noted.
func (l *linter) downloadTo(c *call, a *arguments) {
	l.downloads++
	dir := ""
	if o, ok := a.find(" --output-dir -P --directory-prefix --dir "); ok && (c.base != "curl" || o.name == "--output-dir") {
		l.writes(&c.scope, o.value, true)
		dir = o.value.text + "/"
	}
	output := " -o --output --out "
	if c.base == "wget" {
		output = " -O --output-document "
	}
	named := false
	for _, o := range a.options {
		switch {
		case hasName(output, o.name):
			named = true
			l.writes(&c.scope, o.value, false)
			if o.value.known() {
				l.noteFile(dir + o.value.text)
			}
		case o.name == "-D" && c.base == "curl", o.name == "--dump-header", o.name == "-o" && c.base == "wget", o.name == "--output-file":
			l.writes(&c.scope, o.value, false)
		}
	}
	if named || c.base == "curl" && !a.has(" -O --remote-name --remote-name-all ") {
		return
	}
	for _, w := range a.operands {
		if url, _, _ := strings.Cut(w.text, "?"); w.known() {
			l.noteFile(dir + path.Base(url))
		}
	}
}

// formatWords are the first words with which programs overwrite a disk that also
// do other things.
var formatWords = map[string]string{
	"cryptsetup": " luksFormat luksErase erase reencrypt ",
	"nvme":       " format sanitize write-zeroes ",
}

// formats looks at the disks that a program would overwrite. Only a disk counts: in
// the image of one these programs do what they are for. Each has its own way to be
// asked what is there, and then does no harm; the same letter may mean the contrary
// to another. A disk that nobody knows is as bad as any, but for shred, of which the
// operands count as deleted already.
func (l *linter) formats(c *call, a *arguments) {
	operands := a.operands
	switch {
	case a.has(" --list --print --no-act --dump "):
		return
	case strings.HasSuffix(c.base, "fdisk") || c.base == "parted":
		if a.has(" -l -p -d ") || c.base == "parted" && onlyPrints(operands) {
			return
		}
	case strings.HasSuffix(c.base, "gdisk"):
		if a.has(" -l -p ") {
			return
		}
	case c.base == "wipefs":
		if !a.has(" -a --all -o --offset ") || a.has(" -n ") {
			return
		}
	case c.base == "hdparm":
		if !a.has(" --security-erase --security-erase-enhanced ") {
			return
		}
	case formatWords[c.base] != "":
		if len(operands) == 0 || !hasName(formatWords[c.base], operands[0].text) {
			return
		}
	}
	for _, w := range operands {
		switch w.class() {
		case classDevice:
			l.danger(&c.scope, detailDisk, w)
		case classUnknown:
			if c.base != "shred" {
				l.opaque(&c.scope, detailOperand, w)
			}
		}
	}
}

// onlyPrints reports whether parted is only told to show what there is. Its first
// operand is the disk, and a unit may be set before it prints.
func onlyPrints(operands []word) bool {
	prints := false
	for i := range operands {
		switch w := &operands[i]; {
		case w.is("print"):
			prints = true
		case i == 0, w.is("unit"), i > 0 && operands[i-1].is("unit"), prints:
		default:
			return false
		}
	}
	return prints
}
