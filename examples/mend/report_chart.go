package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/mendkit/mend"
)

// chart is a few numbers, and the bars that show them.
type chart struct {
	ID, Title string
	Bars      []bar
}

// bar is one number of a chart. Its place is in thousandths of the chart's width.
type bar struct {
	Label, Class, Filter, Explained string
	Count, Share                    string
	From, Length                    int
}

// explained says what an outcome means.
var explained = map[outcome]string{
	passed:     "its check passes as it is",
	mended:     "its check was mended, and is proven",
	weak:       "its check proves too little",
	failed:     "its check fails, and cannot be mended",
	malformed:  "it is no recipe",
	noEvidence: "nothing was learned",
}

// outcomeChart is one bar in pieces that add up to all recipes.
func outcomeChart(t *tally) chart {
	c := chart{ID: "outcomes"}
	sum := 0
	for _, o := range outcomes {
		n := t.Outcomes[o]
		if n == 0 {
			continue
		}
		from := 1000 * sum / t.Recipes
		sum += n
		c.Bars = append(c.Bars, bar{
			Label: string(o), Class: string(o), Filter: "outcome:" + string(o), Explained: explained[o],
			Count: grouped(n), From: from, Length: 1000*sum/t.Recipes - from,
		})
	}
	return c
}

// rankedChart has a bar for each key, the longest first.
func rankedChart[K ~string](id, title, key string, of map[K]int) chart {
	c := chart{ID: id, Title: title}
	most, all := 0, 0
	for _, n := range of {
		most, all = max(most, n), all+n
	}
	for _, k := range ranked(of) {
		c.Bars = append(c.Bars, newBar(string(k), oneLine(key+":"+string(k)), of[k], most, all))
	}
	return c
}

func newBar(label, filter string, n, most, all int) bar {
	return bar{Label: oneLine(label), Class: "plain", Filter: filter, Count: grouped(n), Share: share(n, all), Length: 1000 * n / max(most, 1)}
}

// strengths are all strengths, the weakest first.
var strengths = []mend.Strength{mend.StrengthUnproven, mend.StrengthExitCode, mend.StrengthComplaint, mend.StrengthUsage, mend.StrengthVersion}

// strengthChart has the bars of what checks that pass prove, the strongest first, also
// of strengths that none has: the order says something.
func strengthChart(t *tally) chart {
	c := chart{ID: "strengths", Title: "What passing checks prove"}
	most, all := 0, 0
	for _, n := range t.Strengths {
		most, all = max(most, n), all+n
	}
	if all == 0 {
		return c
	}
	for i := len(strengths) - 1; i >= 0; i-- {
		s := strengths[i]
		if n := t.Strengths[s]; n > 0 || s > mend.StrengthUnproven {
			c.Bars = append(c.Bars, newBar(s.String(), "strength:"+s.String(), n, most, all))
		}
	}
	return c
}

// timeSteps are the upper bounds of the bars of times. They grow by half a decimal
// order, since a slow tool takes a thousand times as long as a quick one.
var timeSteps = []time.Duration{
	10 * time.Millisecond, 30 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond,
	time.Second, 3 * time.Second, 10 * time.Second, 30 * time.Second,
}

// timeChart has a bar for each step from the shortest time to the longest.
func timeChart(times []time.Duration) chart {
	c := chart{ID: "times", Title: "Time for a recipe"}
	counts := make([]int, len(timeSteps)+1)
	for _, d := range times {
		i := 0
		for i < len(timeSteps) && d >= timeSteps[i] {
			i++
		}
		counts[i]++
	}
	first, last, most := len(counts), -1, 0
	for i, n := range counts {
		if n > 0 {
			first, last, most = min(first, i), i, max(most, n)
		}
	}
	for i := first; i <= last; i++ {
		label := "over " + spaced(timeSteps[len(timeSteps)-1])
		switch {
		case i == 0:
			label = "under " + spaced(timeSteps[0])
		case i < len(timeSteps):
			label = spaced(timeSteps[i-1]) + " – " + spaced(timeSteps[i])
		}
		c.Bars = append(c.Bars, newBar(label, "", counts[i], most, len(times)))
	}
	return c
}

// spaced writes a time with a narrow space before its unit.
func spaced(d time.Duration) string {
	const narrow = "\u202f"
	if d >= time.Second {
		d = d.Round(100 * time.Millisecond)
	}
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + narrow + "ms"
	case d < 10*time.Second && d%time.Second != 0:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + narrow + "s"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 0, 64) + narrow + "s"
}

// share returns a part of all as a percentage; it says all and nothing only of these.
func share(n, all int) string {
	if all == 0 {
		return "–"
	}
	percent := 100 * float64(n) / float64(all)
	if n > 0 && n < all {
		percent = min(max(percent, 0.1), 99.9)
	}
	if percent == 0 || percent == 100 {
		return fmt.Sprintf("%.0f\u202f%%", percent)
	}
	return fmt.Sprintf("%.1f\u202f%%", percent)
}

// grouped writes a number in groups of three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}
