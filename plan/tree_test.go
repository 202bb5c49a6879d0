package plan_test

import "strings"

func fields(s string) []string { return strings.Fields(s) }
