package plan

// Adjustment is what [Adjust] changed.
type Adjustment struct {
	Reason           Code     `json:"reason"`
	RecoveryRule     string   `json:"recoveryRule"`
	PreviousCommands []string `json:"previousCommands"`
	NextCommands     []string `json:"nextCommands"`
}

// Adjust returns the plan that a failure calls for.
func Adjust(p *Plan, m *Meta) (*Plan, *Adjustment) { return nil, nil }
