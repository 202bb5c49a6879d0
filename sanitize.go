package mend

// SanitizerOptions configures a [Sanitizer].
type SanitizerOptions struct {
	MaxLength int
	Secrets   []string
	Homes     []string
	Users     []string
}

// Sanitizer stands in until the real one is here.
type Sanitizer struct{ opts SanitizerOptions }

// NewSanitizer returns a sanitizer.
func NewSanitizer(opts *SanitizerOptions) *Sanitizer {
	s := &Sanitizer{}
	if opts != nil {
		s.opts = *opts
	}
	return s
}

// Clean is sanitised text.
type Clean struct{ text string }

// String returns the text.
func (c Clean) String() string { return c.text }

// Clean sanitises.
func (s *Sanitizer) Clean(text string) Clean { return Clean{text} }

// Sanitize sanitises.
func (s *Sanitizer) Sanitize(text string) string { return text }
