package anthropic

import (
	"cmp"
	"context"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

const (
	defaultName    = "anthropic"
	defaultBaseURL = "https://api.anthropic.com/"

	// defaultMaxTokens is sent where nobody names a bound, which this API demands.
	// Every current model can write as much.
	defaultMaxTokens = 8192
)

// Options say which model is asked, and how. Model and APIKey are required.
type Options struct {
	Model  string // as the API names it
	APIKey string

	Name       string        // "" means "anthropic"
	BaseURL    string        // "" means the official one
	HTTPClient *http.Client  // nil means the default; redirects are not followed in any case
	MaxTokens  int           // bound of an answer whose request names none; 0 means 8192
	Timeout    time.Duration // of one call; 0 means five minutes

	// CachePrompt has the API keep the tools, the system prompt and the conversation
	// so far for some minutes. What is read again costs a fraction, what is written
	// costs more than without: worth it for conversations of several turns.
	CachePrompt bool
}

// Provider is a Claude model. It is safe for concurrent use.
type Provider struct {
	settings wire.Settings
	cache    bool
	messages sdk.MessageService
	caller   wire.Caller
}

var _ mend.Provider = (*Provider)(nil)

// New returns the provider. It makes no call: a wrong key or model shows in the
// first [Provider.Complete].
func New(opts Options) (*Provider, error) {
	settings, err := wire.Settings{
		Name: opts.Name, Model: opts.Model, APIKey: opts.APIKey, BaseURL: opts.BaseURL,
		MaxTokens: opts.MaxTokens, Timeout: opts.Timeout,
	}.Complete(defaultName, defaultBaseURL)
	if err != nil {
		return nil, err
	}
	return &Provider{
		settings: settings,
		cache:    opts.CachePrompt,
		messages: sdk.NewMessageService(
			option.WithoutEnvironmentDefaults(),
			option.WithoutOpenTelemetry(),
			option.WithAPIKey(settings.APIKey),
			option.WithBaseURL(settings.BaseURL),
			option.WithHTTPClient(wire.Client(opts.HTTPClient)),
			option.WithMaxRetries(0),
			// The call's own context ends first; this one only keeps the SDK from
			// refusing large answers, which it wants streamed.
			option.WithRequestTimeout(settings.Timeout+time.Minute),
		),
		caller: settings.Caller(explain, requestID),
	}, nil
}

// Name implements [mend.Provider].
func (p *Provider) Name() string { return p.settings.Name }

// Complete implements [mend.Provider]. Every error is a *mend.ProviderError.
func (p *Provider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	var message *sdk.Message
	answer, err := p.caller.Do(ctx, func(ctx context.Context) (err error) {
		message, err = p.messages.New(ctx, p.params(req))
		return err
	})
	if err != nil {
		return nil, err
	}
	if message == nil || message.Role == "" && len(message.Content) == 0 {
		return nil, p.caller.Fail(answer, wire.Fault{Kind: mend.KindBadResponse, Text: "answer is no message"})
	}
	return p.caller.Settle(answer, p.response(message, req.Messages))
}

func requestID(a *wire.Answer) string {
	return cmp.Or(a.Header.Get("Request-Id"), a.Header.Get("X-Request-Id"))
}
