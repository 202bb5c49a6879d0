package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/genai"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

const (
	defaultName    = "gemini"
	defaultBaseURL = "https://generativelanguage.googleapis.com/"
)

// Options say which model is asked, and how. Model and APIKey are required.
type Options struct {
	Model  string // as the API names it
	APIKey string

	Name       string        // "" means "gemini"
	BaseURL    string        // "" means the official one
	HTTPClient *http.Client  // nil means the default; redirects are not followed in any case
	MaxTokens  int           // bound of an answer whose request names none; 0 means the model's own
	Timeout    time.Duration // of one call; 0 means five minutes
}

// Provider is a Gemini model. It is safe for concurrent use.
type Provider struct {
	settings wire.Settings
	models   *genai.Models
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
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:      settings.APIKey,
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  wire.Client(opts.HTTPClient),
		HTTPOptions: genai.HTTPOptions{BaseURL: settings.BaseURL}, // no RetryOptions: nothing is retried
	})
	if err != nil { // its text holds the configuration, and the key with it
		return nil, fmt.Errorf("provider %s: the SDK refuses the options", settings.Name)
	}
	return &Provider{
		settings: settings,
		models:   client.Models,
		caller:   settings.Caller(explain, requestID),
	}, nil
}

// Name implements [mend.Provider].
func (p *Provider) Name() string { return p.settings.Name }

// Complete implements [mend.Provider]. Every error is a *mend.ProviderError.
func (p *Provider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	answer, err := p.caller.Do(ctx, func(ctx context.Context) error {
		for _, t := range req.Tools {
			if len(t.Parameters) > 0 && !json.Valid(t.Parameters) { // the SDK would send a request without tools
				return errors.New("parameters of a tool are no JSON")
			}
		}
		_, err := p.models.GenerateContent(ctx, p.settings.Model, nil, p.config(req))
		return err
	})
	if err != nil {
		return nil, err
	}
	return p.response(answer, req.Messages)
}
