package mend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// canary returns a secret of its own for each place that one can come from.
func canary(place string) string {
	const alphabet = "Zr4tQm81LpXv92KsHd7uWc30NbYe65FgJa"
	var b strings.Builder
	for i, c := range place + place + place {
		b.WriteByte(alphabet[(int(c)*7+i*11)%len(alphabet)])
	}
	return b.String()
}

// secretText returns text with the place's canary in every form that leaks.
func secretText(place string) string {
	c := canary(place)
	token := "gh" + "p_" + (c + c + c)[:36]
	return fmt.Sprintf("API_KEY=%s\nauthorization: Bearer %s\nhttps://deploy:%s@git.example.org/x?access_token=%s\n%s\n{\"password\": \"%s\"}\n", c, c, c, c, token, c)
}

// TestNoSecretLeaves plants a secret wherever text comes from, and looks for it
// wherever text goes to.
func TestNoSecretLeaves(t *testing.T) {
	places := []string{"describe", "source", "tool", "toolerror", "install", "installlog", "stdout", "stderr", "provider", "system"}
	tool := mend.Tool{ToolDef: mend.ToolDef{Name: "look"}, Call: func(_ context.Context, args json.RawMessage) (string, error) {
		if string(args) == `{"fail":true}` {
			return "", errors.New(secretText("toolerror"))
		}
		return secretText("tool"), nil
	}}
	p := mendtest.NewScriptedProvider("p",
		mendtest.Call("look", "{}"), mendtest.Call("look", `{"fail":true}`), submitted("froba --version", "{version}"),
		submitted("frobb --version", "{version}"), submitted("frobc --version", "{version}"),
		mendtest.Turn{Err: &mend.ProviderError{Kind: mend.KindAuth, Provider: "p", Err: errors.New("the key is wrong: " + secretText("provider"))}})
	sb := failingInstall{
		mendtest.NewReplay(
			&mendtest.Capture{Tool: "frobb", Runs: []mendtest.Run{played([]string{"frobb", "--version"}, 127, secretText("stdout"), "sh: 1: frobb: not found\n"+secretText("stderr"))}},
			&mendtest.Capture{Tool: "frobc", Runs: []mendtest.Run{played([]string{"frobc", "--version"}, 1, "", "Segmentation fault\n"+secretText("stderr"))}},
		),
		&mend.InstallError{Step: 1, Action: "download", Err: errors.New("no: " + secretText("install")), Stderr: secretText("installlog")},
	}
	builder := mend.NewModelBuilder("model", p, &mend.ModelOptions{
		Describe: func(context.Context, mend.BuildRequest) (string, error) { return secretText("describe"), nil },
		Tools:    func(mend.BuildRequest) []mend.Tool { return []mend.Tool{tool} }, System: secretText("system"), FreshStart: true,
	})
	var log bytes.Buffer
	logged := mend.SlogObserver(slog.New(slog.NewJSONHandler(&log, nil)))
	var events []mend.Event
	observe := func(ctx context.Context, e mend.Event) {
		logged(ctx, e)
		events = append(events, e)
	}
	_, err := mend.New(sb, &mend.Options{Observer: observe}).Create(t.Context(), builder, mend.BuildRequest{Package: "frob", Version: "1.2.3", Source: secretText("source")})
	require.Error(t, err)

	requests := p.Requests()
	require.GreaterOrEqual(t, len(requests), 6)
	sent, encodeErr := json.Marshal(requests)
	require.NoError(t, encodeErr)
	reported, encodeErr := json.Marshal(events)
	require.NoError(t, encodeErr)
	outputs := map[string]string{"requests": string(sent), "events": string(reported), "log": log.String(), "error": err.Error()}
	for _, place := range places {
		for _, out := range slices.Sorted(maps.Keys(outputs)) {
			assert.False(t, strings.Contains(outputs[out], canary(place)), "%s reaches the %s", place, out)
		}
	}
	for _, mark := range []string{"What is known of it", "look", "froba", "frobb: not found", "Segmentation fault", "download", "deploy:[REDACTED]@git.example.org"} {
		assert.True(t, strings.Contains(outputs["requests"], mark), "%s is no secret, and has to arrive", mark)
	}
}

// failingInstall fails for the tool froba, and installs nothing else.
type failingInstall struct {
	mend.Sandbox
	err error
}

func (s failingInstall) Install(ctx context.Context, r *mend.Recipe) (mend.Environment, error) {
	if strings.HasPrefix(r.Verify.Command, "froba") {
		return nil, s.err
	}
	return s.Sandbox.Install(ctx, r)
}
