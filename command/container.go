package command

import (
	"path"
	"strings"
)

// container looks at what of the host a container would get. What runs inside is not
// looked at: that is what a container is for, as long as it is one. Options behind the
// image are those of the program inside. Each that opens the host is a finding.
func (l *linter) container(c *call) {
	operands := containerGlobal.parse(c.words[1:], true).operands
	if len(operands) > 1 && operands[0].is("container") {
		operands = operands[1:]
	}
	if len(operands) == 0 || !containerCommands[operands[0].text] {
		return
	}
	a := containerOptions.parse(operands[1:], true)
	for _, o := range a.options {
		if opensHost(&o) {
			l.danger(&c.scope, detailContainer, *o.at)
		}
	}
}

// opensHost reports whether an option gives the host away: all of it, its processes and
// users, its disks or its files. The host's network is left out, since tests of
// servers ask for it all the time.
func opensHost(o *option) bool {
	value := &o.value
	if strings.HasPrefix(value.text, "=") {
		without := value.from(1) // a letter's value may stand behind an equals sign
		value = &without
	}
	if hasName(hostShared, o.name) {
		return value.is("host")
	}
	switch o.name {
	case "--privileged":
		return !value.is("false")
	case "--cap-add":
		for name := range strings.SplitSeq(strings.ToUpper(value.text), ",") {
			if hostCapabilities[strings.TrimPrefix(name, "CAP_")] {
				return true
			}
		}
	case "--device":
		device := value.upToColon()
		return device.class() == classDevice
	case "-v", "--volume":
		return opensVolume(value)
	case "--mount":
		return opensMount(value)
	}
	return false
}

// upToColon returns the part of a word before its first colon. What is unknown behind
// the colon does not matter to it.
func (w word) upToColon() word {
	if i := strings.IndexByte(w.text, ':'); i >= 0 {
		w.text = w.text[:i]
		if w.unknown >= i {
			w.unknown = -1
		}
	}
	return w
}

// opensVolume looks at SOURCE:TARGET:OPTIONS. Without a colon there is no source, and
// the volume is a fresh one.
func opensVolume(value *word) bool {
	source := value.upToColon()
	parts := strings.Split(value.text, ":")
	return len(parts) > 1 && opensPath(&source, len(parts) > 2 && isReadOnly(strings.Split(parts[2], ",")))
}

// opensMount looks at type=bind,source=SOURCE,target=TARGET,readonly, in any order. The
// type is not asked for: the name of a volume is no path of the host's.
func opensMount(value *word) bool {
	var source word
	at := 0
	parts := strings.Split(value.text, ",")
	for _, part := range parts {
		key, path, valued := strings.Cut(part, "=")
		if valued && (key == "source" || key == "src") {
			source = value.from(at + len(key) + 1)
			source.text = path
			if source.unknown > len(path) {
				source.unknown = -1
			}
		}
		at += len(part) + 1
	}
	return source.text != "" && opensPath(&source, isReadOnly(parts))
}

// isReadOnly reports whether options of a mount say that it cannot be written.
func isReadOnly(options []string) bool {
	for _, o := range options {
		switch o {
		case "ro", "readonly", "ro=true", "readonly=true", "ro=1", "readonly=1":
			return true
		}
	}
	return false
}

// opensPath reports whether a path of the host is one that no container may have, or
// none may write. Through the root, a disk or the socket of the daemon there is a way
// to everything even if it is only read. A source that nobody knows is let pass, as the
// working directory is: to mount $PWD is what everybody does.
func opensPath(source *word, readOnly bool) bool {
	if hostSockets[path.Base(source.text)] {
		return true
	}
	switch source.class() {
	case classRoot, classDevice:
		return true
	case classHome, classSystem, classSystemFile:
		return !readOnly && !tempDirs[path.Clean(source.text)]
	}
	return false
}
