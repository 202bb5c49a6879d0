package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mendkit/mend"
)

// maxSignature bounds the text of a signature, in runes; what is longer is cut, and
// a hash of the whole stands for the rest.
const maxSignature = 400

// Signature returns what two failures of one cause have in common, in small
// letters: the code, the command and what the output says failed, as far as each is
// there. Of an output with diagnostics these are the lines that count, in whatever
// order and however often they stand there, and how many failed; of any other it is
// the whole. Times, line numbers and the like are folded as [mend.FoldText] does.
//
// Signature is pure: the same input gives the same text. It may hold anything that
// the output does, so the output should be sanitised.
func Signature(code Code, commandID, output string) string {
	var pieces []string
	if code != "" {
		pieces = append(pieces, "code:"+string(code))
	}
	if commandID != "" {
		pieces = append(pieces, "cmd:"+commandID)
	}
	text := strings.Join(diagnostics(output), " | ")
	if text == "" {
		text = mend.FoldText(output)
	}
	if text != "" {
		pieces = append(pieces, shortened(text))
	}
	return strings.ToLower(strings.Join(pieces, " "))
}

// shortened cuts a text to maxSignature.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= maxSignature {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	cut := string([]rune(text)[:maxSignature])
	return strings.TrimSpace(cut) + " sha256:" + hex.EncodeToString(sum[:8])
}

// diagnostics returns the lines of an output that say what failed, folded and
// sorted, each once. Lines that count failures, or say only that something did, are
// among them, but only beside others: alone they would stand for everything else
// that there is.
func diagnostics(output string) []string {
	var lines []string
	isOne, counts := diagnosticLine(), failureCount()
	found := false
	lastFile, lastError := "", false
	for line := range strings.Lines(mend.PlainText(output)) {
		line = strings.TrimRight(plainBlanks(line), " ")
		text := strings.TrimSpace(line)
		switch {
		case text == "":
			continue
		case isOne.MatchString(line):
			found = true
			lines = append(lines, lastDuration.ReplaceAllString(mend.FoldText(text), ""))
		case lastFile != "" && reportedAt.MatchString(text):
			found = true
			lines = append(lines, mend.FoldText(lastFile+" "+text))
		case lastError && strings.HasPrefix(text, "--> "):
			lines = append(lines, mend.FoldText(text))
		case counts.MatchString(text):
			lines = append(lines, mend.FoldText(text))
		}
		lastError = strings.HasPrefix(text, "error")
		if filePath.MatchString(line) {
			lastFile = text
		} else if line == text {
			lastFile = ""
		}
	}
	if !found {
		return nil
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// lastDuration is what a runner adds to the name of a test, or leaves out if it was
// soon done.
var lastDuration = regexp.MustCompile(` (?:<duration>|\(<duration>\)|\[<duration>\])$`)

// What belongs to another line.
var (
	filePath   = regexp.MustCompile(`^\S*[/\\.]\S*\.\w+$`)     // the heading of a list of findings
	reportedAt = regexp.MustCompile(`^\d+:\d+ +(?:error|✖|×)`) // one of them
)

// diagnosticForms are how tools name what failed.
var diagnosticForms = []string{
	`\s*--- FAIL: `, // go
	`panic: `,
	`\s*[\w./\\@+-]+\.\w+:\d+(?::\d+)?:? (?:- )?(?:fatal )?(?:[Ee]rror|ERROR)\b`, // most compilers
	`\s*[\w./\\@+-]+\(\d+(?:,\d+)*\) ?: (?:fatal )?error\b`,                      // those of Microsoft
	`\s*(?:vet: )?[\w./\\@+-]+\.go:\d+(?::\d+)?: `,
	`error(?:\[\w+\])?: `, // rustc, cargo
	`test \S+ (?:- .* )?\.\.\. FAILED`,
	`thread '.*' (?:\(\d+\) )?panicked at `,
	`(?:FAILED|ERROR) \S+`, // pytest
	`E {3}`,
	`(?:FAIL|ERROR): \w+ \(`, // unittest
	`\s*not ok \d`,           // TAP
	`\s*[✗✘✖✕×❌●⨯] ?\S`,
	`\s*FAIL\s+\S`, // jest, vitest
	`\s*\d+\) \S`,  // mocha, rspec, phpunit
	`rspec \S+`,
	`\[ERROR\] +(?:\S+:\[?\d+|\S+\.\w+:\d+)`, // maven
	`.*<<< (?:FAILURE|ERROR)!`,
	`\S.* > \S.* FAILED$`, // gradle
	`[ew]: \S+\.kts?:`,    // kotlin
	`\s*Failed \S+ \[`,    // dotnet
	`\s*\d+ - .*\((?:Failed|Timeout|SEGFAULT|Not Run|Subprocess aborted)\)`, // ctest
	`.*\*\*\*(?:Failed|Exception|Timeout)`,
}

var diagnosticLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join(diagnosticForms, "|") + `)`)
})

// failureCount finds lines that say how many failed, or in which package, or under
// which target.
var failureCount = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b\d+ (?:[\w()]+ ){0,3}(?:failed|failures?|failing|errors?|problems?)\b|\b(?:failures|failed|errors|fail)(?: tests?)? ?[:=] ?\d|\d+ ?/ ?\d+ failed\b|\bfailed \d+ of \d+\b|^[#ℹ] fail \d|^FAIL +\S+ |^make(?:\[\d+\])?: \*\*\* \[|^FAILED: `)
})
