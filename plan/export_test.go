package plan

import "github.com/mendkit/mend"

// SignalTexts returns the texts of all signals, with what they say.
func SignalTexts() []string {
	var all []string
	for _, s := range signals() {
		all = append(all, s.title())
	}
	return all
}

// SignalsIn returns those signals that an output holds and that are the tool's to
// print, in lines of which the first is returned for each.
func SignalsIn(p Part, obs mend.Observation) map[string]string {
	found := map[string]string{}
	h := newHearing(p, obs)
	for _, s := range signals() {
		if !h.believes(s.by, s.kind) {
			continue
		}
		for _, l := range h.lines {
			one := *h
			one.lines = []outputLine{l}
			if one.heard(s) {
				found[s.title()] = l.text
				break
			}
		}
	}
	return found
}

func (s compiled) title() string { return string(s.kind) + " " + s.by + " " + s.text }
