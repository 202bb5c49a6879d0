package mend_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mendkit/mend"
)

// exampleProvider stands in for one of the modules under providers/.
type exampleProvider struct {
	name string
	err  error
}

func (p exampleProvider) Name() string { return p.name }

func (p exampleProvider) Complete(context.Context, *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	if p.err != nil {
		return nil, p.err
	}
	return &mend.CompletionResponse{Message: mend.Message{Role: mend.RoleAssistant, Content: "frob -V"}, StopReason: mend.StopEndTurn}, nil
}

// The next provider answers for one that is out of money, and nobody has to
// report anything.
func ExampleNewFailover() {
	first := exampleProvider{name: "first", err: &mend.ProviderError{Kind: mend.KindQuota, Provider: "first", Status: 429}}
	second := exampleProvider{name: "second"}
	model := mend.NewFailover([]mend.Provider{first, second}, &mend.FailoverOptions{
		Observer: func(_ context.Context, e mend.Event) { fmt.Println(e.Kind, e.Provider, e.Reason) },
	})

	req := &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: "How does frob show its version?"}}}
	for range 2 {
		resp, err := model.Complete(context.Background(), req)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", resp.Provider, resp.Message.Content)
	}
	// Output:
	// circuit_breaker_trip first quota
	// provider_failover first quota
	// second: frob -V
	// second: frob -V
}

// When nobody answers, the error says why, and when to come back.
func ExampleOutageError() {
	model := mend.NewFailover([]mend.Provider{
		exampleProvider{name: "first", err: &mend.ProviderError{Kind: mend.KindQuota, Provider: "first", Status: 429}},
		exampleProvider{name: "second", err: &mend.ProviderError{Kind: mend.KindRateLimited, Provider: "second", RetryAfter: 30 * time.Second}},
	}, &mend.FailoverOptions{MaxWait: -1})

	_, err := model.Complete(context.Background(), &mend.CompletionRequest{})
	if out, ok := errors.AsType[*mend.OutageError](err); ok {
		for _, reason := range out.Reasons {
			fmt.Println(reason)
		}
		fmt.Println(time.Until(out.RetryAt) < time.Minute)
	}
	// Output:
	// first: quota (HTTP 429)
	// second: rate_limited, retry after 30s
	// true
}

// Three failures in a row keep further calls away for a minute.
func ExampleNewCircuitBreaker() {
	breaker := mend.NewCircuitBreaker("model", nil)
	for range 3 {
		_ = breaker.Do(context.Background(), func(context.Context) error { return errors.New("connection refused") })
	}
	err := breaker.Do(context.Background(), func(context.Context) error { panic("not called") })

	fmt.Println(breaker.State())
	if open, ok := errors.AsType[*mend.CircuitOpenError](err); ok {
		fmt.Println(open.Cause)
	}
	// Output:
	// open
	// connection refused
}
