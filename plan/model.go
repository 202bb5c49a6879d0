package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
)

// ProposeWith returns a function for [Options.Propose] that asks a model.
//
// The conversation's submit tool is the caller's. Whatever it is called, its
// arguments hold one list of strings, the entries: {"commands": ["go vet ./..."]}.
// An answer without one, and one with an entry that [Split] or the lint refuses,
// goes back with what is wrong with it, at most Retries times. Then one last
// question shows the malformed answers together. So the conversation is asked at
// most Retries+2 times, and never more often than it has turns for one prompt, each
// time with the request's time limit.
//
// Of the last answer the entries that are right are returned, if there is one. Any
// error of the conversation ends it at once: the provider's, that of a limit, or
// that the turns were used up.
func ProposeWith(c *mend.Conversation) func(context.Context, ProposeRequest) ([]string, error) {
	return func(ctx context.Context, req ProposeRequest) ([]string, error) {
		most := max(req.Retries, 0) + 1
		if req.ReconcileTimeout > 0 {
			most++
		}
		most = min(most, c.Turns())
		text, timeout := proposalPrompt(req), req.Timeout
		var malformed []string
		for n := 1; ; n++ {
			args, err := askFor(ctx, c, text, timeout)
			if err != nil {
				return nil, err
			}
			lines, faults := readProposal(args)
			switch malformed = append(malformed, string(args)); {
			case len(faults) == 0, n == most && len(lines) > 0:
				return lines, nil
			case n == most:
				return nil, fmt.Errorf("no answer of the model could be read: %s", errorText.Sanitize(faults[0]))
			case n == most-1 && req.ReconcileTimeout > 0:
				text, timeout = reconcilePrompt(malformed, faults), req.ReconcileTimeout
			default:
				text = refusalPrompt(faults)
			}
		}
	}
}

// FixWith returns a function for [Options.Fix] that asks a model. The model
// changes the tree by the conversation's tools, which are the caller's, and says by
// its submit tool that it has; what it submits is not looked at. It is told what
// failed as [mend.Failure.Prompt] tells it, which attempt this is, what became of
// those before, and what kind of change is wanted.
func FixWith(c *mend.Conversation) func(context.Context, FixRequest) error {
	return func(ctx context.Context, req FixRequest) error {
		_, err := c.Ask(ctx, wide.Clean(fixPrompt(req)))
		return err
	}
}

// askFor puts one question.
func askFor(ctx context.Context, c *mend.Conversation, text string, limit time.Duration) (json.RawMessage, error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	return c.Ask(ctx, wide.Clean(text))
}

// readProposal returns the entries of an answer that are right, and what is wrong
// with the others.
func readProposal(args json.RawMessage) (lines, faults []string) {
	all, err := onlyList(args)
	if err != nil {
		return nil, []string{err.Error()}
	}
	for _, line := range all {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if fault := entryFault(line); fault != "" {
			faults = append(faults, fmt.Sprintf("%q: %s", line, fault))
		} else {
			lines = append(lines, line)
		}
	}
	return lines, faults
}

// entryFault says why an entry cannot be run; "" if it can.
func entryFault(line string) string {
	parts, err := Split(line)
	if err != nil {
		return err.Error()
	}
	for _, p := range parts {
		if fault := lintFault(p, nil); fault != "" {
			return fault
		}
	}
	return ""
}

// onlyList returns the one list of strings in the arguments of an answer.
func onlyList(args json.RawMessage) ([]string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil {
		return nil, errors.New("the arguments are no JSON object")
	}
	var found [][]string
	for _, value := range members {
		var list []string
		if strings.HasPrefix(strings.TrimSpace(string(value)), "[") && json.Unmarshal(value, &list) == nil {
			found = append(found, list)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("the arguments hold %d lists of strings, and one is needed", len(found))
	}
	return found[0], nil
}

// How much of what is known goes into a prompt.
const (
	maxPromptFiles     = 60
	maxPromptMalformed = 3
	maxPromptAnswer    = 2000 // bytes of a malformed answer
)

// entryRules says what an entry is.
const entryRules = `Each is one line that starts a program directly. No shell runs it: no pipes, redirections, variables or globs. Programs may be joined by "&&", and "cd DIR &&" at the start chooses a directory of the tree. Each must exit with 0 if the change is right, and fail if it is not. Propose only what exists in the tree, and nothing that publishes, deploys or removes anything.`

// proposalPrompt asks for entries.
func proposalPrompt(req ProposeRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Propose at most %d commands that verify a change to a source tree.\n%s\n", req.Max, entryRules)
	if req.Role != "" {
		fmt.Fprintf(&b, "The change is made in the role %q.\n", req.Role)
	}
	writeList(&b, "The author asked for these, which are run anyway", req.Explicit)
	writeList(&b, "These are run, too", req.Have)
	switch {
	case req.Changed == nil:
		b.WriteString("\nWhich files change is not known.\n")
	case len(req.Changed) == 0:
		b.WriteString("\nNo file has changed yet.\n")
	default:
		writeList(&b, "Changed files", req.Changed)
	}
	if req.Files != nil {
		writeList(&b, "At the root of the tree", rootNames(req.Files))
		writeList(&b, "Scripts of package.json", scriptNames(req.Files))
		if mf := readMakefile(req.Files, ""); mf != nil {
			writeList(&b, "Targets of the makefile", slices.Sorted(maps.Keys(mf.rules)))
		}
	}
	b.WriteString("\nSubmit the list of commands. It may be empty.")
	return b.String()
}

// refusalPrompt sends an answer back.
func refusalPrompt(faults []string) string {
	var b strings.Builder
	b.WriteString("The answer cannot be used as it is.\n")
	writeList(&b, "What is wrong", faults)
	b.WriteString("\nSubmit the whole list again, with these written right or left out.")
	return b.String()
}

// reconcilePrompt shows the answers that could not be used, for the last time.
func reconcilePrompt(malformed, faults []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "None of your answers could be used.\n%s\n", entryRules)
	for _, answer := range malformed[max(0, len(malformed)-maxPromptMalformed):] {
		fmt.Fprintf(&b, "\n<<<\n%s\n>>>\n", strings.ToValidUTF8(answer[:min(len(answer), maxPromptAnswer)], ""))
	}
	writeList(&b, "What is wrong with the last one", faults)
	b.WriteString("\nMake one list of what is right in them, and submit that. It may be empty.")
	return b.String()
}

// fixPrompt asks for a change.
func fixPrompt(req FixRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Attempt %d of %d.\n", req.Attempt, req.Of)
	var previous []string
	for _, err := range req.Previous {
		previous = append(previous, err.Error())
	}
	writeList(&b, "What failed before", previous)
	if req.Unchanged {
		b.WriteString("\nThe failure is the same as before the last change.\n")
	}
	switch {
	case req.Kind == FixNoChange:
		b.WriteString("\nNothing was changed in the tree. Make the change that was asked for.")
	case req.Setup:
		b.WriteString("\nChange the environment so that this command finds what it needs. Do not change the source.")
	default:
		b.WriteString("\nMake the smallest change to the tree that makes this command pass. Do not change the command.")
	}
	b.WriteString(" When it is done, submit.\n")
	if req.Failure != nil {
		b.WriteString("\n" + req.Failure.Prompt().String())
	}
	return b.String()
}

// writeList writes a list, as far as there is room for it.
func writeList(b *strings.Builder, label string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", label)
	for _, item := range items[:min(len(items), maxPromptFiles)] {
		fmt.Fprintf(b, "- %s\n", strings.Join(strings.Fields(item), " "))
	}
	if more := len(items) - maxPromptFiles; more > 0 {
		fmt.Fprintf(b, "- and %d more\n", more)
	}
}

// rootNames returns what stands at the root of a tree, without hidden files.
func rootNames(fsys fs.FS) []string {
	var names []string
	entries, _ := fs.ReadDir(fsys, ".") // none, if it cannot be read
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// scriptNames returns the names of the scripts at the root of a tree.
func scriptNames(fsys fs.FS) []string {
	known, _ := scripts(fsys, "", "package.json")
	return slices.Sorted(maps.Keys(known))
}
