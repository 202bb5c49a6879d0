package command

import (
	"context"
	"slices"
	"strings"
)

// judgement says how bad it is if a platform may lack a program, or one of its
// options in whatever spelling, and how that is put; 0 and "" if there is nothing to
// say. What was found out about the system beats the table: an option under its own
// spelling first, then under the others of its row. The option is "" for the program
// itself.
//
// On a platform that is not known, what any of them lacks is information and no
// reason to write the command anew. Programs in no table have the zero row, which
// lacks nothing.
func (p *Profile) judgement(on platforms, program, option string, spellings []string) (Severity, string) {
	if len(p.Capabilities) > 0 {
		there, probed := p.Capabilities[strings.TrimSuffix(program+" "+option, " ")]
		for i := 0; !probed && i < len(spellings); i++ {
			there, probed = p.Capabilities[program+" "+spellings[i]]
		}
		switch {
		case probed && there:
			return 0, ""
		case probed:
			return SeverityError, "this system"
		}
	}
	s := has
	switch p.Platform {
	case PlatformGNU:
		s = on.gnu
	case PlatformBSD:
		s = on.bsd
	case PlatformBusyBox:
		s = on.busybox
	default:
		if on == (platforms{}) {
			return 0, ""
		}
		return SeverityInfo, "some systems"
	}
	switch s {
	case lacks:
		return SeverityError, p.Platform
	case varies:
		return SeverityWarn, "some " + p.Platform + " systems"
	}
	return 0, ""
}

// available looks up whether the platform has a program. One that the recipe brings
// along, or that lies in a directory of its own, is not the platform's.
func (l *linter) available(c *call) {
	if !c.own {
		return
	}
	severity, where := l.profile.judgement(toolRows[c.base], c.base, "", nil)
	if severity > 0 {
		l.note(&c.scope, kind{ToolUnavailable, c.base},
			&saying{severity, "%q is not there on " + where, "use another program, or none"}, c.program())
	}
}

// options looks up whether the platform's program has the options given. An option
// that no row has is let pass: the tables say what is known to fail, not what is
// known to work. Each option is noted where it stands, under the name that the table
// has for it: -Po as -P, and --perl as --perl-regexp.
func (l *linter) options(c *call, a *arguments) {
	rows := optionRows[c.base]
	if rows == nil || !c.own {
		return
	}
	around := aroundOptions(c, a)
	for i := range a.options {
		o := &a.options[i]
		for k := range rows {
			if row := &rows[k]; slices.Contains(row.options, o.name) && around.fit(row, o) {
				l.unsupported(c, row, o.name, *o.at)
				break
			}
		}
	}
	if around.suffix > 0 {
		l.unsupported(c, &rows[len(rows)-1], "-i ''", c.words[around.suffix])
	}
}

// around is what stands round the options of one command, where one letter means two
// things: -f of stat is a format on a BSD and a file system elsewhere, and -i of sed
// takes the next word for a suffix there. The zero value is what most commands have.
type around struct {
	percent   int  // where the last word begins that holds a percent sign
	formatted bool // there is an option that holds a format
	suffix    int  // the index of the word that is the suffix of sed; 0 if none is
}

// aroundOptions looks at what the rows of one of two programs ask for.
func aroundOptions(c *call, a *arguments) around {
	r := around{percent: -1}
	switch c.base {
	case "sed":
		r.suffix = max(suffixAfter(c.words), 0)
	case "stat":
		r.formatted = a.has(" -c --format --printf ")
		for i := range c.words {
			if strings.IndexByte(c.words[i].text, '%') >= 0 {
				r.percent = c.words[i].start
			}
		}
	}
	return r
}

// fit reports whether an option stands in the form that its row speaks of.
func (r *around) fit(row *optionRow, o *option) bool {
	switch row.form {
	case percent:
		return !r.formatted && r.percent >= o.at.start
	case noSuffix:
		return !o.valued && r.suffix == 0
	case predicate, bareSuffix:
		return false
	}
	return true
}

// predicates looks up the predicates of find. Their arguments are skipped, and so is
// the program behind -exec: that one is looked at as a program of its own.
func (l *linter) predicates(c *call) {
	if !c.own {
		return
	}
	rows := optionRows["find"]
	for args := c.words[1:]; len(args) > 0; {
		name := args[0].text
		for i := range rows {
			if args[0].known() && rows[i].options[0] == name {
				l.unsupported(c, &rows[i], name, args[0])
			}
		}
		if args = args[1:]; findStarters[name] {
			args = args[startedBy(args):]
		} else {
			args = args[min(findArguments[name], len(args)):]
		}
	}
}

// unsupported notes that the platform lacks an option, or may lack it, at the word
// that holds it. The name is that of the option as the table writes it.
func (l *linter) unsupported(c *call, row *optionRow, name string, w word) {
	severity, where := l.profile.judgement(row.platforms, c.base, name, row.options)
	if severity == 0 {
		return
	}
	hint := row.instead
	if hint == "" {
		hint = "leave it out"
	}
	l.note(&c.scope, kind{FlagNotSupported, name}, &saying{severity, "%q: " + c.base + " on " + where + " has no " + name, hint}, w)
}

// probe runs the commands of the tables that need an option, and notes which of
// them work, under all spellings of the option. A grep that finds nothing works too.
// They run one behind the other in the order of the programs' names, so that two runs
// on one system ask the same; the first error of run that is not about a missing
// program ends it. A negative exit code says that the program was killed, which
// tells nothing.
func (p *Profile) probe(ctx context.Context, run func(context.Context, []string) (string, int, error)) error {
	names := make([]string, 0, len(optionRows))
	for name := range optionRows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, row := range optionRows[name] {
			if row.probe == nil {
				continue
			}
			_, exit, err := run(ctx, slices.Clone(row.probe))
			switch {
			case err != nil && !notThere(err):
				return err
			case err != nil, exit == exitNotFound, exit == exitNotStarted, exit < 0:
				continue
			}
			for _, spelling := range row.options {
				p.Capabilities[name+" "+spelling] = exit == 0 || name == "grep" && exit == 1
			}
		}
	}
	return nil
}

// Exit codes by which a shell says that it could not start a program.
const (
	exitNotStarted = 126
	exitNotFound   = 127
)
