package mendtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/mendkit/mend"
)

// ReplayProvider is a provider that plays a recorded conversation, in its order.
// A request that differs from the recorded one is an error, so that a test never
// passes on an answer to another question. It is safe for concurrent use, but
// conversations that run at once ask in no certain order.
type ReplayProvider struct {
	name  string
	scrub scrubber

	mu        sync.Mutex
	exchanges []Exchange
	played    int // guarded by mu
}

// errRecordingOver reports that a provider was asked more than was recorded.
var errRecordingOver = errors.New("the recording is over")

// NewReplayProvider returns a provider that answers as recorded. Requests are
// compared as sanitised with s, which has to be like the one that the recording
// was made with; nil means the default of [NewRecordingProvider].
func NewReplayProvider(c *Conversation, s *mend.Sanitizer) *ReplayProvider {
	return &ReplayProvider{name: c.Provider, scrub: newScrubber(s), exchanges: slices.Clone(c.Exchanges)}
}

// DifferentRequestError reports that a provider was asked something else than what
// was recorded.
type DifferentRequestError struct {
	Exchange int    // from 0
	Field    string // the first one that differs: "Messages[2].Content", "len(Tools)"
	Recorded string // what it holds; of a text, what stands round the first difference
	Asked    string
}

// Error names the field, and what it holds in both.
func (e *DifferentRequestError) Error() string {
	return fmt.Sprintf("request %d is not the recorded one: %s is %s, and was %s", e.Exchange, e.Field, e.Asked, e.Recorded)
}

// Name returns the name of the provider that was recorded.
func (p *ReplayProvider) Name() string { return p.name }

// Unasked returns the exchanges that were not played.
func (p *ReplayProvider) Unasked() []Exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.exchanges[p.played:])
}

// Complete implements [mend.Provider]. A recorded error is returned as a
// *[mend.ProviderError]. A request that was not recorded is one of kind
// invalid_request, which wraps a *[DifferentRequestError] if another request was;
// that one stays unasked.
func (p *ReplayProvider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	if err := ctx.Err(); err != nil {
		return nil, &mend.ProviderError{Kind: mend.KindCanceled, Provider: p.name, Err: err}
	}
	asked := p.scrub.request(req)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.played == len(p.exchanges) {
		return nil, &mend.ProviderError{Kind: mend.KindInvalidRequest, Provider: p.name, Err: errRecordingOver}
	}
	e := p.exchanges[p.played]
	recorded := p.scrub.request(&e.Request)
	if d := difference("", reflect.ValueOf(recorded), reflect.ValueOf(asked)); d != nil {
		d.Exchange = p.played
		return nil, &mend.ProviderError{Kind: mend.KindInvalidRequest, Provider: p.name, Err: d}
	}
	p.played++
	if e.Error != nil {
		failed := *e.Error
		return nil, &failed
	}
	return scrubber{}.response(e.Response), nil
}

// difference returns where two values of one type differ first, or nil. Empty and
// nil are equal.
func difference(path string, recorded, asked reflect.Value) *DifferentRequestError {
	switch recorded.Kind() {
	case reflect.Struct:
		for i := range recorded.NumField() {
			field := recorded.Type().Field(i).Name
			if path != "" {
				field = path + "." + field
			}
			if d := difference(field, recorded.Field(i), asked.Field(i)); d != nil {
				return d
			}
		}
		return nil
	case reflect.Slice:
		if raw, ok := recorded.Interface().(json.RawMessage); ok {
			return textDifference(path, string(raw), string(asked.Bytes()))
		}
		for i := range min(recorded.Len(), asked.Len()) {
			if d := difference(fmt.Sprintf("%s[%d]", path, i), recorded.Index(i), asked.Index(i)); d != nil {
				return d
			}
		}
		return lengthDifference(path, recorded.Len(), asked.Len())
	case reflect.Map:
		return mapDifference(path, recorded, asked)
	case reflect.String:
		return textDifference(path, recorded.String(), asked.String())
	}
	if reflect.DeepEqual(recorded.Interface(), asked.Interface()) {
		return nil
	}
	return &DifferentRequestError{Field: path, Recorded: shown(recorded), Asked: shown(asked)}
}

// mapDifference looks at the keys of both in order.
func mapDifference(path string, recorded, asked reflect.Value) *DifferentRequestError {
	keys := append(recorded.MapKeys(), asked.MapKeys()...)
	slices.SortFunc(keys, func(a, b reflect.Value) int { return bytes.Compare([]byte(a.String()), []byte(b.String())) })
	for _, k := range keys {
		at := fmt.Sprintf("%s[%q]", path, k)
		r, a := recorded.MapIndex(k), asked.MapIndex(k)
		if !r.IsValid() || !a.IsValid() {
			return &DifferentRequestError{Field: at, Recorded: shown(r), Asked: shown(a)}
		}
		if d := difference(at, r, a); d != nil {
			return d
		}
	}
	return nil
}

func lengthDifference(path string, recorded, asked int) *DifferentRequestError {
	if recorded == asked {
		return nil
	}
	return &DifferentRequestError{Field: "len(" + path + ")", Recorded: fmt.Sprint(recorded), Asked: fmt.Sprint(asked)}
}

// shown returns a value as the error shows it.
func shown(v reflect.Value) string {
	switch {
	case !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil():
		return "not there"
	case v.Kind() == reflect.Pointer:
		return fmt.Sprint(v.Elem())
	case v.Kind() == reflect.Slice: // of bytes: JSON
		return excerpt(string(v.Bytes()), 0)
	}
	return fmt.Sprint(v)
}

// textDifference shows two texts from shortly before where they part.
func textDifference(path, recorded, asked string) *DifferentRequestError {
	if recorded == asked {
		return nil
	}
	at := 0
	for at < min(len(recorded), len(asked)) && recorded[at] == asked[at] {
		at++
	}
	return &DifferentRequestError{Field: path, Recorded: excerpt(recorded, at), Asked: excerpt(asked, at)}
}

// excerpt quotes the part of a text round a position.
func excerpt(text string, at int) string {
	from, to := max(0, at-20), min(len(text), at+60)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	quoted := fmt.Sprintf("%q", text[from:to])
	if from > 0 {
		quoted = "…" + quoted
	}
	if to < len(text) {
		quoted += "…"
	}
	return quoted
}
