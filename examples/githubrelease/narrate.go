package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mendkit/mend"
)

// narrator tells what happens while it does: what the model asks for, and what
// comes of it.
type narrator struct {
	mend.Provider
	out io.Writer
}

// Complete implements [mend.Provider].
func (n *narrator) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	last := req.Messages[len(req.Messages)-1]
	for _, r := range last.ToolResults {
		n.say("tool", r.Content)
	}
	if len(req.Messages) == 1 || last.Content != "" {
		n.say("mend", last.Content)
	}
	resp, err := n.Provider.Complete(ctx, req)
	if err == nil {
		for _, call := range resp.Message.ToolCalls {
			n.say("model", fmt.Sprintf("%s %s", call.Name, call.Arguments))
		}
	}
	return resp, err
}

// observe tells of the transitions that no model sees.
func (n *narrator) observe(_ context.Context, e mend.Event) {
	switch {
	case e.Kind == mend.EventValidationResult && e.Success:
		n.say("check", "passed")
	case e.Kind == mend.EventValidationResult:
		n.say("check", e.Error)
	case e.Kind == mend.EventVerifySelfRepair && e.Success:
		n.say("mended", fmt.Sprintf("by %s, without the model", e.Method))
	}
}

// Bounds of what is told of one thing: the rest of a prompt is of no interest here.
const (
	toldLines = 24
	toldWidth = 500
)

func (n *narrator) say(who, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > toldLines {
		lines = append(lines[:toldLines], "…")
	}
	for _, line := range lines {
		if runes := []rune(line); len(runes) > toldWidth {
			line = string(runes[:toldWidth-1]) + "…"
		}
		fmt.Fprintf(n.out, "  %-7s %s\n", who, line)
		who = ""
	}
}
