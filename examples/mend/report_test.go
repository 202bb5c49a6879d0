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

// TestReportInBrowser opens the page in a real browser, and uses it.
func TestReportInBrowser(t *testing.T) {
	b := openBrowser(t)
	results, transcripts := hostileResults()
	path := renderReport(t, results, transcripts)
	all := float64(len(results))
	visible := `[...document.querySelectorAll("#list tbody")].filter(b => b.checkVisibility()).map(b => b.dataset.name)`
	plain := func(order ...int) []any {
		var names []any
		for _, i := range order {
			names = append(names, fmt.Sprintf("plain%d", i))
		}
		return names
	}
	set := func(id, value string) {
		b.eval(fmt.Sprintf(`{ const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("input")); }`, id, value))
	}
	part := func(name string, test func(*testing.T)) {
		t.Run(name, func(t *testing.T) {
			b.t = t
			test(t)
		})
		b.t = t
	}
	b.open("file://" + path)

	part("nothing hostile happens", func(t *testing.T) {
		assert.Equal(t, all, b.eval(`document.querySelectorAll("#list tbody").length`))
		assert.Equal(t, 0.0, b.eval(`document.images.length`))
		assert.Equal(t, 1.0, b.eval(`document.scripts.length`))
		assert.Equal(t, "undefined", b.eval(`typeof window.owned`))
		assert.Equal(t, all, b.eval(`document.querySelectorAll("#list details").length`))
		b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
		assert.Contains(t, b.eval(`document.body.innerText`), hostile[0], "it is there, as text")
		b.eval(`document.querySelectorAll("details").forEach(d => d.open = false)`)
	})
	part("sorts by a click, and back", func(t *testing.T) {
		set("words", "plain")
		click := func(key string) { b.eval(fmt.Sprintf(`document.querySelector("th.%s button").click()`, key)) }
		click("time")
		assert.Equal(t, plain(3, 1, 4, 2, 0), b.eval(visible))
		assert.Equal(t, "descending", b.eval(`document.querySelector("th.time").ariaSort`))
		click("time")
		assert.Equal(t, plain(0, 2, 4, 1, 3), b.eval(visible))
		click("runs")
		assert.Equal(t, plain(0, 1, 2, 3, 4), b.eval(visible))
		assert.Nil(t, b.eval(`document.querySelector("th.time").ariaSort`))
		click("strength")
		assert.Equal(t, plain(4, 3, 2, 1, 0), b.eval(visible))
		click("method")
		assert.Equal(t, plain(0, 2, 4, 1, 3), b.eval(visible))
		click("name")
		assert.Equal(t, plain(0, 1, 2, 3, 4), b.eval(visible))
	})
	part("filters", func(t *testing.T) {
		set("words", "PLAIN toml")
		assert.Equal(t, "5 of "+fmt.Sprint(all), b.eval(`document.getElementById("matches").textContent`))
		set("strength", "usage")
		assert.Equal(t, plain(3), b.eval(visible))
		set("strength", "")
		set("words", "method:fallback_help")
		assert.Equal(t, plain(1, 3), b.eval(visible))
		set("words", "no such recipe")
		assert.Equal(t, true, b.eval(`document.getElementById("nothing").checkVisibility()`))
		set("words", "")
		set("outcome", "mended")
		assert.Len(t, b.eval(visible), 5)
		set("outcome", "")
		assert.Len(t, b.eval(visible), int(all))
		b.eval(`document.querySelector("a[data-filter='method:fallback_h']").click()`)
		assert.Equal(t, plain(0, 2, 4), b.eval(visible), "a bar's name shows what it counts")
		set("words", "")
	})
	part("works from the keyboard", func(t *testing.T) {
		focused := `document.activeElement.tagName + " " + document.activeElement.textContent`
		b.eval(`document.getElementById("strength").focus()`)
		b.press("Tab")
		assert.Equal(t, "BUTTON Recipe", b.eval(focused))
		b.press("Enter")
		assert.Equal(t, "descending", b.eval(`document.querySelector("th.name").ariaSort`))
		b.press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
		assert.Equal(t, "SUMMARY", b.eval(`document.activeElement.tagName`))
		b.press("Enter")
		assert.Equal(t, true, b.eval(`document.activeElement.parentElement.open`))
	})
	part("fits a phone, in the dark", func(t *testing.T) {
		b.call("Emulation.setDeviceMetricsOverride", object{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true})
		b.call("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": "dark"}}})
		assert.Equal(t, 360.0, b.eval(`document.documentElement.scrollWidth`))
		b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
		assert.Equal(t, 360.0, b.eval(`document.documentElement.scrollWidth`))
		const brightness = `(e => { const [r, g, b] = getComputedStyle(e)[%q].match(/\d+/g).map(Number); return (r + g + b) / 3; })(document.%s)`
		assert.Less(t, b.eval(fmt.Sprintf(brightness, "backgroundColor", "body")), 64.0)
		assert.Greater(t, b.eval(fmt.Sprintf(brightness, "color", "body")), 192.0)
		assert.Greater(t, b.eval(fmt.Sprintf(brightness, "color", `querySelector("summary")`)), 128.0)
		b.call("Emulation.clearDeviceMetricsOverride", nil)
		b.call("Emulation.setEmulatedMedia", object{"features": []object{}})
	})
	part("asks nobody for anything", func(t *testing.T) {
		assert.Empty(t, b.errors())
		assert.Equal(t, []string{"file://" + path}, b.requests())
		assert.NotContains(t, strings.Join(b.proxied(), " "), "192.0.2.1", "the browser's own business is not the page's")
	})
	part("is all there without scripts", func(t *testing.T) {
		b.call("Emulation.setScriptExecutionDisabled", object{"value": true})
		b.open("file://" + path)
		assert.Len(t, b.eval(visible), int(all))
		assert.Equal(t, false, b.eval(`document.getElementById("filter").checkVisibility()`), "what would do nothing is not offered")
		assert.Equal(t, "SUMMARY", b.eval(`document.querySelector("#list details").firstElementChild.tagName`))
	})
}
