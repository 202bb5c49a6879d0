package openai

import (
	"context"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

const (
	defaultName    = "openai"
	defaultBaseURL = "https://api.openai.com/v1/"
)

// Options say which model is asked, and how. Model and APIKey are required.
type Options struct {
	Model  string // as the API names it
	APIKey string // a server that wants none takes any

	Name       string        // "" means "openai"; another server should have another
	BaseURL    string        // up to and with its /v1; "" means the official one
	HTTPClient *http.Client  // nil means the default; redirects are not followed in any case
	MaxTokens  int           // bound of an answer whose request names none; 0 means the model's own
	Timeout    time.Duration // of one call; 0 means five minutes

	// LegacyMaxTokens sends the bound as max_tokens, for servers that do not know
	// max_completion_tokens. OpenAI's own models that reason refuse it.
	LegacyMaxTokens bool
}

// Provider is a model behind the Chat Completions API. It is safe for concurrent use.
type Provider struct {
	settings        wire.Settings
	legacyMaxTokens bool
	completions     sdk.ChatCompletionService
	caller          wire.Caller
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
		settings:        settings,
		legacyMaxTokens: opts.LegacyMaxTokens,
		// The service alone, not a client: that would read the environment.
		completions: sdk.NewChatCompletionService(
			option.WithAPIKey(settings.APIKey),
			option.WithBaseURL(settings.BaseURL),
			option.WithHTTPClient(wire.Client(opts.HTTPClient)),
			option.WithMaxRetries(0),
		),
		caller: settings.Caller(explain, requestID),
	}, nil
}

// Name implements [mend.Provider].
func (p *Provider) Name() string { return p.settings.Name }

// Complete implements [mend.Provider]. Every error is a *mend.ProviderError.
func (p *Provider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	var completion *sdk.ChatCompletion
	answer, err := p.caller.Do(ctx, func(ctx context.Context) error {
		params, err := p.params(req)
		if err != nil {
			return err
		}
		completion, err = p.completions.New(ctx, params)
		return err
	})
	if err != nil {
		return nil, err
	}
	if completion == nil || len(completion.Choices) == 0 {
		return nil, p.caller.Fail(answer, explainEmpty(answer))
	}
	return p.response(answer, completion, req.Messages)
}

func requestID(a *wire.Answer) string { return a.Header.Get("X-Request-Id") }
