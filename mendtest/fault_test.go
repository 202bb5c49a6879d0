package mendtest_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// answers is a provider that always answers the same.
type answers string

func (a answers) Name() string { return string(a) }

func (a answers) Complete(context.Context, *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	return &mend.CompletionResponse{Message: mend.Message{Role: mend.RoleAssistant, Content: "fine"}, StopReason: mend.StopEndTurn, Provider: string(a)}, nil
}

// submitting is a request with two tools.
func submitting() *mend.CompletionRequest {
	return &mend.CompletionRequest{
		Messages: []mend.Message{{Role: mend.RoleUser, Content: "?"}},
		Tools:    []mend.ToolDef{{Name: "look"}, {Name: "submit"}},
	}
}

// faulty is a provider whose first call goes wrong.
func faulty(kind mendtest.FaultKind) *mendtest.FaultProvider {
	return mendtest.NewFaultProvider(answers("p"), mendtest.Faults(mendtest.Fault{Kind: kind, RetryAfter: 7 * time.Second}))
}

func TestFaultErrors(t *testing.T) {
	for kind, want := range map[mendtest.FaultKind]struct {
		kind   mend.ProviderErrorKind
		status int
	}{
		mendtest.FaultRateLimited:    {mend.KindRateLimited, 429},
		mendtest.FaultQuota:          {mend.KindQuota, 429},
		mendtest.FaultOverloaded:     {mend.KindOverloaded, 529},
		mendtest.FaultServerError:    {mend.KindUnavailable, 500},
		mendtest.FaultAuth:           {mend.KindAuth, 401},
		mendtest.FaultModelNotFound:  {mend.KindModelNotFound, 404},
		mendtest.FaultInvalidRequest: {mend.KindInvalidRequest, 400},
		mendtest.FaultContextLength:  {mend.KindContextLength, 400},
		mendtest.FaultContentFilter:  {mend.KindContentFilter, 200},
		mendtest.FaultTimeout:        {mend.KindTimeout, 0},
		mendtest.FaultCut:            {mend.KindUnavailable, 0},
	} {
		t.Run(string(kind), func(t *testing.T) {
			p := faulty(kind)
			_, err := p.Complete(t.Context(), submitting())
			var pe *mend.ProviderError
			require.ErrorAs(t, err, &pe)
			assert.Equal(t, want.kind, pe.Kind)
			assert.Equal(t, want.status, pe.Status)
			assert.Equal(t, "p", pe.Provider)
			assert.Equal(t, 7*time.Second, pe.RetryAfter)
			assert.Equal(t, kind == mendtest.FaultCut, errors.Is(err, io.ErrUnexpectedEOF))

			resp, err := p.Complete(t.Context(), submitting())
			require.NoError(t, err)
			assert.Equal(t, "fine", resp.Message.Content, "the calls that were not planned for go well")
			assert.Equal(t, 2, p.Calls())
		})
	}
}

func TestFaultAnswers(t *testing.T) {
	broken := []byte(`{"recipe": "[meta`)
	for kind, want := range map[mendtest.FaultKind]mend.CompletionResponse{
		mendtest.FaultEmpty:       {StopReason: mend.StopEndTurn},
		mendtest.FaultGarbage:     {StopReason: mend.StopToolUse, Message: mend.Message{ToolCalls: []mend.ToolCall{{Name: "submit", Arguments: broken}}}},
		mendtest.FaultTruncated:   {StopReason: mend.StopMaxTokens, Message: mend.Message{ToolCalls: []mend.ToolCall{{Name: "submit", Arguments: broken}}}},
		mendtest.FaultUnknownTool: {StopReason: mend.StopToolUse, Message: mend.Message{ToolCalls: []mend.ToolCall{{Name: "no_such_tool", Arguments: []byte("{}")}}}},
	} {
		t.Run(string(kind), func(t *testing.T) {
			resp, err := faulty(kind).Complete(t.Context(), submitting())
			require.NoError(t, err)
			assert.Equal(t, want.StopReason, resp.StopReason)
			assert.Equal(t, mend.RoleAssistant, resp.Message.Role)
			assert.Empty(t, resp.Message.Content)
			require.Len(t, resp.Message.ToolCalls, len(want.Message.ToolCalls))
			for i, call := range want.Message.ToolCalls {
				assert.NotEmpty(t, resp.Message.ToolCalls[i].ID)
				assert.Equal(t, call.Name, resp.Message.ToolCalls[i].Name)
				assert.Equal(t, string(call.Arguments), string(resp.Message.ToolCalls[i].Arguments))
			}
		})
	}
	resp, err := faulty(mendtest.FaultGarbage).Complete(t.Context(), &mend.CompletionRequest{})
	require.NoError(t, err)
	assert.Equal(t, "no_such_tool", resp.Message.ToolCalls[0].Name, "where no tool is offered")
}

func TestFaultPanics(t *testing.T) {
	assert.Panics(t, func() { _, _ = faulty(mendtest.FaultPanic).Complete(t.Context(), submitting()) })
	assert.Panics(t, func() { _, _ = faulty("invented").Complete(t.Context(), submitting()) })
}

func TestFaultHangsUntilTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start := time.Now()
		_, err := faulty(mendtest.FaultHang).Complete(ctx, submitting())
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Hour, time.Since(start))

		p := mendtest.NewFaultProvider(answers("p"), mendtest.Faults())
		_, err = p.Complete(ctx, submitting())
		assert.ErrorIs(t, err, context.DeadlineExceeded, "a call in a context that ended goes nowhere")
	})
}

func TestFaultPlanSeesCallsInOrder(t *testing.T) {
	var seen []int // by the plan alone, which is never called concurrently
	p := mendtest.NewFaultProvider(answers("p"), func(call int, req *mend.CompletionRequest) mendtest.Fault {
		seen = append(seen, call, len(req.Tools))
		return mendtest.Fault{}
	})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := p.Complete(t.Context(), submitting())
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	require.Len(t, seen, 40)
	for i := range 20 {
		assert.Equal(t, []int{i, 2}, seen[2*i:2*i+2])
	}
	assert.Equal(t, 20, p.Calls())
}

func TestFaultKindsAreAll(t *testing.T) {
	kinds := mendtest.FaultKinds()
	assert.Len(t, kinds, 17)
	slices.Sort(kinds)
	assert.Len(t, slices.Compact(kinds), 17)
	assert.NotContains(t, kinds, mendtest.FaultNone)
}
