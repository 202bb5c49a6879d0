// Package otel shows mend's loop in OpenTelemetry: [Observer] makes a span of each
// event, and [Provider] one of each call of a model, with the attributes of the
// GenAI conventions. Start a span round [mend.Orchestrator.Create], and all of them
// stand below it.
//
// No span holds text of a prompt, of an answer, of a program's output or of an
// error: traces go to other places than the recipes do, and are kept there.
package otel

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/mendkit/mend"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

const scope = "github.com/mendkit/mend/otel"

// Names of the conventions. They are not taken from a semconv package, since each
// version of that is another one, and those of GenAI are not in all.
const (
	operationKey    = attribute.Key("gen_ai.operation.name")
	providerKey     = attribute.Key("gen_ai.provider.name")
	maxTokensKey    = attribute.Key("gen_ai.request.max_tokens")
	temperatureKey  = attribute.Key("gen_ai.request.temperature")
	modelKey        = attribute.Key("gen_ai.response.model")
	responseIDKey   = attribute.Key("gen_ai.response.id")
	finishKey       = attribute.Key("gen_ai.response.finish_reasons")
	inputTokensKey  = attribute.Key("gen_ai.usage.input_tokens")
	outputTokensKey = attribute.Key("gen_ai.usage.output_tokens")
	cacheReadKey    = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	cacheWriteKey   = attribute.Key("gen_ai.usage.cache_creation.input_tokens")
	reasoningKey    = attribute.Key("gen_ai.usage.reasoning.output_tokens")
	errorTypeKey    = attribute.Key("error.type")
	statusKey       = attribute.Key("http.response.status_code")
)

// otherError is what the conventions call an error whose type is not known.
const otherError = "_OTHER"

func tracer(tp trace.TracerProvider) trace.Tracer {
	if tp == nil {
		tp = otel.GetTracerProvider()
	}
	return tp.Tracer(scope)
}

// Observer returns an observer for [mend.Options]. Each event becomes a span that
// ends with it and took as long as it says, named after its kind
// ("mend.validation_result"); its fields are attributes ("mend.package"). There is
// none for generation_started, which the span of generation_completed covers. A nil
// provider means the global one.
func Observer(tp trace.TracerProvider) func(context.Context, mend.Event) {
	t := tracer(tp)
	return func(ctx context.Context, e mend.Event) {
		if e.Kind == mend.EventGenerationStarted {
			return
		}
		_, span := t.Start(ctx, "mend."+string(e.Kind), trace.WithTimestamp(e.Time.Add(-e.Duration)), trace.WithAttributes(eventAttributes(e)...))
		if e.Error != "" {
			span.SetStatus(codes.Error, "")
		}
		span.End(trace.WithTimestamp(e.Time))
	}
}

// eventAttributes are the fields of an event as it lists them itself, so that a new
// one is not forgotten here. The text of an error may quote output and stays away.
func eventAttributes(e mend.Event) []attribute.KeyValue {
	var attrs []attribute.KeyValue
	kind := otherError
	for _, a := range e.LogValue().Group() {
		switch a.Key {
		case "error", "duration":
		case "provider":
			attrs = append(attrs, providerKey.String(a.Value.String()))
		case "reason":
			kind = a.Value.String()
		default:
			attrs = append(attrs, eventAttribute(attribute.Key("mend."+a.Key), a.Value))
		}
	}
	if e.Error != "" || kind != otherError {
		attrs = append(attrs, errorTypeKey.String(kind))
	}
	return attrs
}

// eventAttribute keeps the type of a value. Durations are in seconds, as they are
// throughout the conventions.
func eventAttribute(key attribute.Key, v slog.Value) attribute.KeyValue {
	switch v.Kind() {
	case slog.KindBool:
		return key.Bool(v.Bool())
	case slog.KindInt64:
		return key.Int64(v.Int64())
	case slog.KindDuration:
		return key.Float64(v.Duration().Seconds())
	case slog.KindTime:
		return key.String(v.Time().Format(time.RFC3339))
	}
	return key.String(v.String())
}

// Provider returns a provider that asks p and makes a span of each call: who was
// asked, what it cost, and how it ended. Each provider of a [mend.Failover] may have
// its own. A nil tracer provider means the global one.
func Provider(p mend.Provider, tp trace.TracerProvider) mend.Provider {
	return &provider{p, tracer(tp)}
}

type provider struct {
	mend.Provider
	tracer trace.Tracer
}

func (p *provider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	ctx, span := p.tracer.Start(ctx, "chat", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(requestAttributes(p.Name(), req)...))
	failed := "panic" // unless the call returns
	defer func() {    // End would record what was panicked with, if it were deferred itself
		if failed != "" {
			span.SetAttributes(errorTypeKey.String(failed))
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}()
	resp, err := p.Provider.Complete(ctx, req)
	failed = ""
	if err != nil {
		failed = otherError
		var pe *mend.ProviderError
		if errors.As(err, &pe) {
			failed = cmp.Or(string(pe.Kind), otherError)
			if pe.Status != 0 {
				span.SetAttributes(statusKey.Int(pe.Status))
			}
		}
		return resp, err
	}
	if resp != nil {
		span.SetAttributes(responseAttributes(resp)...)
	}
	return resp, nil
}

func requestAttributes(name string, req *mend.CompletionRequest) []attribute.KeyValue {
	attrs := []attribute.KeyValue{operationKey.String("chat"), providerKey.String(name)}
	if req.MaxTokens > 0 {
		attrs = append(attrs, maxTokensKey.Int(req.MaxTokens))
	}
	if req.Temperature != nil {
		attrs = append(attrs, temperatureKey.Float64(*req.Temperature))
	}
	return attrs
}

func responseAttributes(resp *mend.CompletionResponse) []attribute.KeyValue {
	u := resp.Usage
	attrs := []attribute.KeyValue{
		finishKey.StringSlice([]string{string(resp.StopReason)}),
		inputTokensKey.Int64(u.InputTokens), outputTokensKey.Int64(u.OutputTokens),
	}
	for _, part := range []struct {
		key    attribute.Key
		tokens int64
	}{{cacheReadKey, u.CacheReadTokens}, {cacheWriteKey, u.CacheWriteTokens}, {reasoningKey, u.ReasoningTokens}} {
		if part.tokens != 0 {
			attrs = append(attrs, part.key.Int64(part.tokens))
		}
	}
	for _, name := range []struct {
		key  attribute.Key
		text string
	}{{modelKey, resp.Model}, {responseIDKey, resp.RequestID}, {providerKey, resp.Provider}} {
		if name.text != "" {
			attrs = append(attrs, name.key.String(name.text))
		}
	}
	return attrs
}
