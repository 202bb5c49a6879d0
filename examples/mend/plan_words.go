package main

import "github.com/mendkit/mend/plan"

// planKinds are the states of a plan's commands, in the order in which they are
// counted.
var planKinds = []outcome{
	outcome(plan.StatePassed), outcome(plan.StateNarrowed), outcome(plan.StateReplaced), outcome(plan.StateEmpty),
	outcome(plan.StateSkipped), outcome(plan.StateIgnored), outcome(plan.StateFailed),
}

var stateStyles = map[outcome]style{
	outcome(plan.StatePassed): green, outcome(plan.StateNarrowed): cyan, outcome(plan.StateReplaced): cyan, outcome(plan.StateEmpty): yellow,
	outcome(plan.StateSkipped): yellow, outcome(plan.StateIgnored): yellow, outcome(plan.StateFailed): red,
}

var statusStyles = map[plan.Status]style{
	plan.StatusPassed: green, plan.StatusPassedWithGaps: yellow, plan.StatusUnverified: yellow, plan.StatusFailed: red,
}

// statuses says what a status means.
var statuses = map[plan.Status]string{
	plan.StatusPassed:         "all that was asked for ran and passed",
	plan.StatusPassedWithGaps: "what ran passed, and not all that was asked for ran",
	plan.StatusUnverified:     "nothing ran that verifies anything",
	plan.StatusFailed:         "the change is not verified",
}

// planCodes says why a command did not pass as it stands.
var planCodes = map[plan.Code]string{
	plan.CodeMissingScript:     "there is no such script",
	plan.CodeNoTestFiles:       "there is nothing to test",
	plan.CodeMissingMakeTarget: "the makefile has no such target",
	plan.CodeUnsupportedFormat: "only a shell could run the line, and none does",
	plan.CodeSequenceIssue:     "the command before it removed what it looks for",
	plan.CodeCommandFailed:     "it failed",
	plan.CodeTestFailure:       "tests failed",
	plan.CodeSetupIssue:        "something is not installed",
	plan.CodeEnvironmentIssue:  "the machine or the network is at fault",
	plan.CodeFlaky:             "it did not end in time",
	plan.CodePolicyViolation:   "it must not be run",
	plan.CodeNoChanges:         "nothing changed, and nothing was asked for that passes on the tree as it is",
}

// recoveryRules says what an adjustment does.
var recoveryRules = map[string]string{
	plan.RuleDrop:    "left out from here on",
	plan.RuleReorder: "the command before it is put behind it",
}
