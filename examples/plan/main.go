// Plan shows how a change is verified by many commands. It makes a small shop in a
// temporary directory: a Go module, a script for node, a Makefile, a contract, and
// a change that breaks a test. Then it builds a plan, runs it for real with the
// tools of this machine, adjusts it where the plan itself is at fault, and says
// what was verified and why. It needs git, no key and no network; a scripted model
// answers.
//
//	go run ./examples/plan
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/plan"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plan:", err)
		os.Exit(1)
	}
}

// wish is what the change's author asked for, and the programs that it takes.
type wish struct {
	line  string
	needs []string
}

// wishes has a script that does not exist, a target that does not either, and a
// check for a file that the command before it removes.
var wishes = []wish{
	{"npm run verify", []string{"npm", "node"}},
	{"make integration", []string{"make"}},
	{"make build", []string{"make", "go"}},
	{"make clean", []string{"make", "go"}},
	{"test -f build/shop", []string{"make", "go"}},
}

func run(ctx context.Context, out io.Writer) error {
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Fprintf(out, "Nothing is shown: a workspace takes git, and it is not here (%v).\n", err)
		return nil
	}
	dir, err := os.MkdirTemp("", "mend-plan-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	changed, err := makeTree(ctx, dir)
	if err != nil {
		return err
	}
	w, err := plan.NewDirWorkspace(ctx, dir, &plan.DirOptions{Env: []string{"GOTOOLCHAIN=local", "GOFLAGS=", "NO_UPDATE_NOTIFIER=1"}})
	if err != nil {
		return err
	}
	defer w.Close()
	contract, err := plan.LoadContract(w.BaseFS(ctx), "")
	if err != nil {
		return err
	}
	s := &show{out: out, workspace: w}
	s.opts = &plan.Options{
		Run: plan.StageOptions{Mode: plan.ModeContract},
		Fix: s.fix(plan.FixWith(conversation(w))),
	}
	s.title("The change")
	for _, name := range changed {
		s.say("  %s", name)
	}
	explicit, demanded := s.available(contract, changed)
	req := plan.Request{Explicit: explicit, Contract: demanded, Changed: changed}
	return s.tell(ctx, req)
}

// available leaves out what takes programs that are not here, and says so.
func (s *show) available(c *plan.Contract, changed []string) ([]string, *plan.Contract) {
	here := func(line string, programs ...string) bool {
		for _, p := range programs {
			if _, err := exec.LookPath(p); err != nil {
				s.say("  left out here: %s (there is no %s on this machine)", line, p)
				return false
			}
		}
		return true
	}
	var explicit, demanded []string
	for _, w := range wishes {
		if here(w.line, w.needs...) {
			explicit = append(explicit, w.line)
		}
	}
	for _, line := range c.Commands("", changed) {
		if parts, err := plan.Split(line); err == nil && here(line, parts[0].Argv[0]) {
			demanded = append(demanded, line)
		}
	}
	return explicit, &plan.Contract{Always: demanded, Hash: c.Hash}
}

// tell builds the plan, runs it, and adjusts and runs it again as long as the plan
// itself is at fault. At last the author's wish is taken back for what does not
// exist, and the rest is verified.
func (s *show) tell(ctx context.Context, req plan.Request) error {
	p, err := plan.Build(ctx, req, s.opts)
	if err != nil {
		return err
	}
	s.title("The plan")
	s.plan(p)
	for n := 1; p != nil; n++ {
		s.title(fmt.Sprintf("Run %d", n))
		r, err := plan.Run(ctx, s.workspace, p, s.opts)
		if err != nil {
			return err
		}
		s.result(p, r)
		p = s.adjust(p, r)
	}
	req.Explicit = existing(req.Explicit)
	if p, err = plan.Build(ctx, req, s.opts); err != nil {
		return err
	}
	s.title("The author takes back what does not exist")
	r, err := plan.Run(ctx, s.workspace, p, s.opts)
	if err != nil {
		return err
	}
	s.result(p, r)
	return nil
}

// adjust returns the plan that the failures of the plan's own call for; nil if
// there are none.
func (s *show) adjust(p *plan.Plan, r *plan.Result) *plan.Plan {
	adjusted := false
	for _, o := range r.Outcomes {
		if o.Meta == nil {
			continue
		}
		if next, a := plan.Adjust(p, o.Meta); a != nil {
			s.say("  Adjusted by %s, since %s: %s", a.RecoveryRule, reasons[a.Reason], o.Command.Line)
			p, adjusted = next, true
		}
	}
	if !adjusted {
		return nil
	}
	s.title("The adjusted plan")
	s.plan(p)
	return p
}

// existing returns the wishes without those for what is not there, and in an order
// that can be kept.
func existing(lines []string) []string {
	var left []string
	for _, line := range []string{"make build", "test -f build/shop", "make clean"} {
		for _, l := range lines {
			if l == line {
				left = append(left, line)
			}
		}
	}
	return left
}

// conversation is one with a scripted model that writes a file and says that it
// has.
func conversation(w *plan.DirWorkspace) *mend.Conversation {
	model := mendtest.NewScriptedProvider("scripted",
		mendtest.Call("write_file", map[string]string{"path": "price/price.go", "content": mendedPrice}),
		mendtest.Call("done", map[string]string{"what": "no discount below ten"}))
	write := mend.Tool{
		ToolDef: mend.ToolDef{Name: "write_file", Description: "Writes a file of the tree."},
		Call: func(_ context.Context, args json.RawMessage) (string, error) {
			var file struct{ Path, Content string }
			if err := json.Unmarshal(args, &file); err != nil {
				return "", err
			}
			return "written", writeFile(w.Dir(), file.Path, file.Content)
		},
	}
	done := mend.Submit{
		ToolDef: mend.ToolDef{Name: "done", Description: "Says that the change is made."},
		Check:   func(context.Context, json.RawMessage) error { return nil },
	}
	return mend.NewConversation(model, done, &mend.ConversationOptions{Tools: []mend.Tool{write}})
}
