//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// hostile is text that does harm where it is not escaped.
var hostile = []string{
	`<script>window.owned = 1</script>`, `"><img src=http://192.0.2.1/x onerror="window.owned = 1">`, `</pre></details></td></tr></tbody></table>`,
	`</script><script>window.owned = 1</script>`, `javascript:window.owned=1`, `{{.Policy}} {{template "row"}}`, `<!-- --> <![CDATA[ ]]>`,
	`' onmouseover='window.owned = 1`, "\u202emoc.live\u202c", "\x1b]0;owned\a\x00\x7f", `&lt;b&gt; &amp;amp;`, `</title><style>*{display:none}</style>`,
}

// hostileResults returns recipes all of whose text is hostile, and five plain ones.
func hostileResults() ([]*result, []*transcript) {
	var results []*result
	var transcripts []*transcript
	for i, bad := range hostile {
		text := sanitize(bad)
		c := &check{Command: text, Pattern: text, Additional: []additional{{text, text}}}
		results = append(results, &result{
			File: bad, Tool: bad, Version: bad, Outcome: failed, Check: c, Reason: text, Message: text, Category: mend.ErrorCategory(bad),
			Verdict: "broken", Evidence: []evidence{{bad, mend.EvidenceBroken, "stderr", 1, 0, text}}, Warnings: []string{text},
			Findings: []finding{{Message: text, Hint: text, Fix: text}}, Runs: 1, Duration: time.Duration(i) * time.Millisecond,
		})
		transcripts = append(transcripts, &transcript{
			Runs: []shown{{Argv: []string{bad, bad}, ExitCode: 1, Stdout: text, Stderr: text + "\nlast line\n"}}, Own: 1,
			Expected: []expectation{{Field: "pattern", Expected: text}}, Verdict: "broken", Evidence: results[i].Evidence,
			Proposals: []proposal{{Method: bad, Check: c, Refusal: text}, {Method: bad, Check: c, Accepted: true}},
		})
	}
	for i := range 5 {
		results = append(results, &result{
			File: fmt.Sprintf("r/plain%d.toml", i), Tool: fmt.Sprintf("plain%d", i), Outcome: mended, Strength: mend.Strength(i), Method: []string{"fallback_h", "fallback_help"}[i%2],
			Check: &check{Command: "plain -h"}, Runs: 10 - i, Duration: time.Duration(100*(i*3%5)) * time.Millisecond,
		})
		transcripts = append(transcripts, nil)
	}
	return results, transcripts
}

// renderReport writes a page about results, and returns its path.
func renderReport(t *testing.T, results []*result, transcripts []*transcript) string {
	sum := newTally()
	var times []time.Duration
	for _, r := range results {
		sum.add(r)
		times = append(times, r.Duration)
	}
	page := newReport(sum, times, nil)
	page.Rows = func(yield func(*row) bool) {
		for i, r := range results {
			if !yield(newRow(r, transcripts[i])) {
				return
			}
		}
	}
	path := filepath.Join(t.TempDir(), "out.html")
	require.NoError(t, page.write(path))
	return path
}

// TestReportEscapes holds, without a browser, that nothing hostile gets into the page's
// markup.
func TestReportEscapes(t *testing.T) {
	results, transcripts := hostileResults()
	text := read(t, renderReport(t, results, transcripts))
	assert.Equal(t, 1, strings.Count(text, "<script"))
	assert.Equal(t, 1, strings.Count(text, "<style"))
	assert.NotContains(t, text, "<img")
	assert.NotContains(t, text, "ZgotmplZ", "a place that the template could not make safe")
	bare := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(text, "")
	assert.NotRegexp(t, `<[a-z][^>]*\s(on[a-z]+|style)=`, bare)
	assert.NotRegexp(t, `(href|src)="[^#d]`, text, "fragments and data alone")
	assert.False(t, strings.ContainsAny(text, "\x00\x1b\u202e"))
}

// TestReportIsWholeOrNotThere, as where the state cannot be read to its end.
func TestReportIsWholeOrNotThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.html")
	write(t, path, "the last one", 0o600)
	page := newReport(newTally(), nil, nil)
	page.Rows = func(yield func(*row) bool) {
		yield(newRow(&result{Tool: "frob", Outcome: passed, Check: &check{}}, nil))
		page.failed = errNoState
	}
	assert.ErrorIs(t, page.write(path), errNoState)
	assert.Equal(t, "the last one", read(t, path))
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestReportInBrowser opens the page in a real browser, and uses it.
func TestReportInBrowser(t *testing.T) {
	results, transcripts := hostileResults()
	p := &reportPage{browser: openBrowser(t), all: len(results), url: "file://" + renderReport(t, results, transcripts)}
	p.open(p.url)
	for _, part := range []struct {
		name string
		test func(*reportPage, *testing.T)
	}{
		{"nothing hostile happens", (*reportPage).harmless},
		{"sorts by a click, and back", (*reportPage).sorts},
		{"filters", (*reportPage).filters},
		{"works from the keyboard", (*reportPage).keyboard},
		{"fits a phone, in the dark", (*reportPage).phone},
		{"asks nobody for anything", (*reportPage).alone},
		{"is all there without scripts", (*reportPage).scriptless},
	} {
		t.Run(part.name, func(t *testing.T) {
			p.t = t
			part.test(p, t)
		})
		p.t = t
	}
}

// reportPage is the page of hostileResults in a browser.
type reportPage struct {
	*browser
	url string
	all int // recipes
}

// names are those of recipes that can be seen, in their order, as a script.
const names = `[...document.querySelectorAll("#list tbody")].filter(b => b.checkVisibility()).map(b => b.dataset.name)`

// plainNames returns the names of plain recipes.
func plainNames(order ...int) []any {
	var names []any
	for _, i := range order {
		names = append(names, fmt.Sprintf("plain%d", i))
	}
	return names
}

// set does what a person does who fills in a field.
func (p *reportPage) set(id, value string) {
	p.eval(fmt.Sprintf(`{ const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input")); }`, id, value))
}

func (p *reportPage) harmless(t *testing.T) {
	assert.Equal(t, float64(p.all), p.eval(`document.querySelectorAll("#list tbody").length`))
	assert.Equal(t, 0.0, p.eval(`document.images.length`))
	assert.Equal(t, 1.0, p.eval(`document.scripts.length`))
	assert.Equal(t, "undefined", p.eval(`typeof window.owned`))
	assert.Equal(t, float64(p.all), p.eval(`document.querySelectorAll("#list details").length`))
	p.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	assert.Contains(t, p.eval(`document.body.innerText`), hostile[0], "it is there, as text")
	p.eval(`document.querySelectorAll("details").forEach(d => d.open = false)`)
}

func (p *reportPage) sorts(t *testing.T) {
	p.set("words", "plain")
	click := func(key string) { p.eval(fmt.Sprintf(`document.querySelector("th.%s button").click()`, key)) }
	click("time")
	assert.Equal(t, plainNames(3, 1, 4, 2, 0), p.eval(names))
	assert.Equal(t, "descending", p.eval(`document.querySelector("th.time").ariaSort`))
	click("time")
	assert.Equal(t, plainNames(0, 2, 4, 1, 3), p.eval(names))
	click("runs")
	assert.Equal(t, plainNames(0, 1, 2, 3, 4), p.eval(names))
	assert.Nil(t, p.eval(`document.querySelector("th.time").ariaSort`))
	click("strength")
	assert.Equal(t, plainNames(4, 3, 2, 1, 0), p.eval(names))
	click("method")
	assert.Equal(t, plainNames(0, 2, 4, 1, 3), p.eval(names))
	click("name")
	assert.Equal(t, plainNames(0, 1, 2, 3, 4), p.eval(names))
}

func (p *reportPage) filters(t *testing.T) {
	p.set("words", "PLAIN toml")
	assert.Equal(t, "5 of "+fmt.Sprint(p.all), p.eval(`document.getElementById("matches").textContent`))
	p.set("strength", "usage")
	assert.Equal(t, plainNames(3), p.eval(names))
	p.set("strength", "")
	p.set("words", "method:fallback_help")
	assert.Equal(t, plainNames(1, 3), p.eval(names))
	p.set("words", "no such recipe")
	assert.Equal(t, true, p.eval(`document.getElementById("nothing").checkVisibility()`))
	p.set("words", "")
	p.set("outcome", "mended")
	assert.Len(t, p.eval(names), 5)
	p.set("outcome", "")
	assert.Len(t, p.eval(names), p.all)
	p.eval(`document.querySelector("a[data-filter='method:fallback_h']").click()`)
	assert.Equal(t, plainNames(0, 2, 4), p.eval(names), "a bar's name shows what it counts")
	p.set("words", "")
}

func (p *reportPage) keyboard(t *testing.T) {
	focused := `document.activeElement.tagName + " " + document.activeElement.textContent`
	p.eval(`document.getElementById("strength").focus()`)
	p.press("Tab")
	assert.Equal(t, "BUTTON Recipe", p.eval(focused))
	p.press("Enter")
	assert.Equal(t, "descending", p.eval(`document.querySelector("th.name").ariaSort`))
	p.press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
	assert.Equal(t, "SUMMARY", p.eval(`document.activeElement.tagName`))
	p.press("Enter")
	assert.Equal(t, true, p.eval(`document.activeElement.parentElement.open`))
}

func (p *reportPage) phone(t *testing.T) {
	p.call("Emulation.setDeviceMetricsOverride", object{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true})
	p.call("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": "dark"}}})
	assert.Equal(t, 360.0, p.eval(`document.documentElement.scrollWidth`))
	p.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	assert.Equal(t, 360.0, p.eval(`document.documentElement.scrollWidth`))
	const brightness = `(e => { const [r, g, b] = getComputedStyle(e)[%q].match(/\d+/g).map(Number); return (r + g + b) / 3; })(document.%s)`
	assert.Less(t, p.eval(fmt.Sprintf(brightness, "backgroundColor", "body")), 64.0)
	assert.Greater(t, p.eval(fmt.Sprintf(brightness, "color", "body")), 192.0)
	assert.Greater(t, p.eval(fmt.Sprintf(brightness, "color", `querySelector("summary")`)), 128.0)
	p.call("Emulation.clearDeviceMetricsOverride", nil)
	p.call("Emulation.setEmulatedMedia", object{"features": []object{}})
}

func (p *reportPage) alone(t *testing.T) {
	assert.Empty(t, p.errors())
	assert.Equal(t, []string{p.url}, p.requests())
	assert.NotContains(t, strings.Join(p.proxied(), " "), "192.0.2.1", "the browser's own business is not the page's")
}

func (p *reportPage) scriptless(t *testing.T) {
	p.call("Emulation.setScriptExecutionDisabled", object{"value": true})
	p.open(p.url)
	assert.Len(t, p.eval(names), p.all)
	assert.Equal(t, false, p.eval(`document.getElementById("filter").checkVisibility()`), "what would do nothing is not offered")
	assert.Equal(t, "SUMMARY", p.eval(`document.querySelector("#list details").firstElementChild.tagName`))
}
