package wire

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// DefaultTimeout is how long one call may take: models that reason take minutes.
const DefaultTimeout = 5 * time.Minute

// Settings are the options that every adapter has.
type Settings struct {
	Name, Model, APIKey, BaseURL string
	MaxTokens                    int
	Timeout                      time.Duration
}

// Complete fills in the defaults, or says what is missing or wrong. No error holds
// the key, nor an address, which may hold one.
func (s Settings) Complete(name, baseURL string) (Settings, error) {
	s.Name = cmp.Or(s.Name, name)
	s.BaseURL = cmp.Or(s.BaseURL, baseURL)
	s.Timeout = cmp.Or(s.Timeout, DefaultTimeout)
	err := s.check()
	if err != nil {
		return s, fmt.Errorf("provider %s: %w", s.Name, err)
	}
	return s, nil
}

// Caller returns what makes the calls of the provider. See [Caller] for the functions.
func (s Settings) Caller(explain func(*Answer) Fault, requestID func(*Answer) string) Caller {
	return Caller{Name: s.Name, Key: s.APIKey, Timeout: s.Timeout, Explain: explain, RequestID: requestID}
}

func (s Settings) check() error {
	u, err := url.Parse(s.BaseURL)
	switch {
	case s.Model == "":
		return errors.New("no model given")
	case s.APIKey == "":
		return errors.New("no API key given")
	case strings.ContainsFunc(s.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("API key holds a blank, a line end or another character that no key has")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("base URL is not of the form https://host/path")
	case s.MaxTokens < 0:
		return fmt.Errorf("MaxTokens is negative: %d", s.MaxTokens)
	case s.Timeout < 0:
		return fmt.Errorf("timeout is negative: %s", s.Timeout)
	}
	return nil
}
