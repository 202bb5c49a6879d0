package mend

// EvidenceKind says which way a line points.
type EvidenceKind string

// The ways a line can point.
const (
	EvidenceBroken      EvidenceKind = "broken"
	EvidenceWorking     EvidenceKind = "working"
	EvidenceEnvironment EvidenceKind = "environment"
)

// Evidence is a line that decided, and the name of what it was taken for.
type Evidence struct {
	Signature string // as "loader.missing_library" or "usage.own"
	Kind      EvidenceKind
	Line      string // of the output without ANSI sequences, clipped to 300 bytes; "" if the way the run ended decided
	Stream    string // "stdout", "stderr" or ""
}
