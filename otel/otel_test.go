package otel_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	global "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/otel"
)

// traced returns a tracer provider and what its spans go to.
func traced() (*sdk.TracerProvider, *tracetest.InMemoryExporter) {
	spans := tracetest.NewInMemoryExporter()
	return sdk.NewTracerProvider(sdk.WithSyncer(spans)), spans
}

// attributes returns a span's own, by name.
func attributes(s tracetest.SpanStub) map[string]any {
	all := make(map[string]any)
	for _, a := range s.Attributes {
		all[string(a.Key)] = a.Value.AsInterface()
	}
	return all
}

// submits is a turn that submits a recipe whose check is "tool --version".
func submits(tool string) mendtest.Turn {
	turn := mendtest.Call("submit_recipe", map[string]any{
		"recipe": fmt.Sprintf("[metadata]\nname = \"frob\"\ndescription = \"canary\"\n\n[verify]\ncommand = \"%s --version\"\npattern = \"frob {version}\"\n", tool),
	})
	turn.Usage = mend.Usage{InputTokens: 100, OutputTokens: 20, CacheReadTokens: 60, ReasoningTokens: 5}
	return turn
}

// A whole repair, in which the word canary stands in everything that no span may hold.
func TestTraceOfARepair(t *testing.T) {
	tp, spans := traced()
	p := otel.Provider(mendtest.NewScriptedProvider("scripted", submits("frobnicate"), mendtest.Turn{Text: "canary"}, submits("frob")), tp)
	assert.Equal(t, "scripted", p.Name())
	describe := func(context.Context, mend.BuildRequest) (string, error) { return "canary", nil }
	sandbox := mendtest.NewReplay(
		&mendtest.Capture{Tool: "frobnicate", Version: "1.2.3", Runs: []mendtest.Run{{Argv: []string{"frobnicate", "--version"}, ExitCode: 127, Stderr: "canary: frobnicate: not found\n"}}},
		&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{{Argv: []string{"frob", "--version"}, Stdout: "frob 1.2.3 canary\n"}}},
	)
	sandbox.Missing = func(argv []string) (mend.Observation, error) {
		return mend.Observation{Argv: argv, ExitCode: 2, Stderr: "canary\n"}, nil
	}
	ctx, root := tp.Tracer("test").Start(t.Context(), "create")
	b := mend.NewModelBuilder("model", p, &mend.ModelOptions{Describe: describe, Temperature: new(0.5), MaxTokens: 900})
	_, err := mend.New(sandbox, &mend.Options{Observer: otel.Observer(tp)}).Create(ctx, b, mend.BuildRequest{Package: "frob"})
	require.NoError(t, err)
	root.End()

	var names []string
	for _, s := range spans.GetSpans() {
		names = append(names, s.Name)
		assert.NotContains(t, fmt.Sprintf("%+v", s), "canary", s.Name)
		if s.Name != "create" {
			assert.Equal(t, root.SpanContext().SpanID(), s.Parent.SpanID(), s.Name)
		}
	}
	assert.Equal(t, []string{
		"chat", "mend.generation_completed", "mend.validation_result", "mend.verify_self_repair",
		"chat", "chat", "mend.repair_attempt", "mend.validation_result", "create",
	}, names)
	assert.Equal(t, map[string]any{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "scripted", "gen_ai.request.max_tokens": int64(900), "gen_ai.request.temperature": 0.5,
		"gen_ai.response.model": "scripted", "gen_ai.response.finish_reasons": []string{"tool_use"},
		"gen_ai.usage.input_tokens": int64(100), "gen_ai.usage.output_tokens": int64(20),
		"gen_ai.usage.cache_read.input_tokens": int64(60), "gen_ai.usage.reasoning.output_tokens": int64(5),
	}, attributes(spans.GetSpans()[0]))
	failed := spans.GetSpans()[2]
	assert.Equal(t, sdk.Status{Code: codes.Error}, failed.Status)
	assert.Equal(t, map[string]any{"mend.package": "frob", "mend.builder": "model", "mend.tool": "frobnicate", "mend.success": false, "error.type": "_OTHER"}, attributes(failed))
}

func TestObserverKeepsTimes(t *testing.T) {
	tp, spans := traced()
	end := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	otel.Observer(tp)(t.Context(), mend.Event{
		Kind: mend.EventVerifySelfRepair, Time: end, Duration: 3 * time.Second, Package: "frob", Success: true,
		Method: mend.MethodOutputDetection, Strength: mend.StrengthComplaint, Probes: 2, TimeSaved: 90 * time.Second,
	})
	require.Len(t, spans.GetSpans(), 1)
	s := spans.GetSpans()[0]
	assert.Equal(t, end.Add(-3*time.Second), s.StartTime)
	assert.Equal(t, end, s.EndTime)
	assert.Equal(t, codes.Unset, s.Status.Code)
	assert.Equal(t, map[string]any{
		"mend.package": "frob", "mend.success": true, "mend.method": mend.MethodOutputDetection, "mend.strength": mend.StrengthComplaint.String(),
		"mend.probes": int64(2), "mend.time_saved": 90.0,
	}, attributes(s))
}

func TestProviderErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		fault mendtest.Fault
		want  []attribute.KeyValue
	}{
		"limited": {mendtest.Fault{Kind: mendtest.FaultRateLimited}, []attribute.KeyValue{attribute.String("error.type", "rate_limited"), attribute.Int("http.response.status_code", 429)}},
		"cut":     {mendtest.Fault{Kind: mendtest.FaultCut}, []attribute.KeyValue{attribute.String("error.type", "unavailable")}},
		"panic":   {mendtest.Fault{Kind: mendtest.FaultPanic}, []attribute.KeyValue{attribute.String("error.type", "panic")}},
		"foreign": {mendtest.Fault{}, []attribute.KeyValue{attribute.String("error.type", "_OTHER")}},
	} {
		t.Run(name, func(t *testing.T) {
			tp, spans := traced()
			inner := mendtest.NewScriptedProvider("p", mendtest.Turn{Err: errors.New("canary")})
			p := otel.Provider(mendtest.NewFaultProvider(inner, mendtest.Faults(tt.fault)), tp)
			func() {
				defer func() { assert.Equal(t, name == "panic", recover() != nil, "a panic goes on") }()
				_, err := p.Complete(t.Context(), &mend.CompletionRequest{})
				assert.Error(t, err)
			}()
			require.Len(t, spans.GetSpans(), 1)
			s := spans.GetSpans()[0]
			assert.Equal(t, sdk.Status{Code: codes.Error}, s.Status)
			assert.Empty(t, s.Events)
			common := []attribute.KeyValue{attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", "p")}
			assert.ElementsMatch(t, append(common, tt.want...), s.Attributes)
			assert.Equal(t, trace.SpanKindClient, s.SpanKind)
		})
	}
}

// An error that tells no kind is an error all the same.
func TestProviderErrorWithoutAKind(t *testing.T) {
	tp, spans := traced()
	p := otel.Provider(mendtest.NewScriptedProvider("p", mendtest.Turn{Err: &mend.ProviderError{Provider: "p"}}), tp)
	_, err := p.Complete(t.Context(), &mend.CompletionRequest{})
	require.Error(t, err)
	require.Len(t, spans.GetSpans(), 1)
	assert.Equal(t, codes.Error, spans.GetSpans()[0].Status.Code)
	assert.Contains(t, spans.GetSpans()[0].Attributes, attribute.String("error.type", "_OTHER"))
}

func TestNilMeansTheGlobalProvider(t *testing.T) {
	tp, spans := traced()
	before := global.GetTracerProvider()
	global.SetTracerProvider(tp)
	defer global.SetTracerProvider(before)
	otel.Observer(nil)(t.Context(), mend.Event{Kind: mend.EventRepairAttempt, Attempt: 1})
	otel.Observer(nil)(t.Context(), mend.Event{Kind: mend.EventGenerationStarted})
	require.Len(t, spans.GetSpans(), 1)
	assert.Equal(t, "mend.repair_attempt", spans.GetSpans()[0].Name)
}
