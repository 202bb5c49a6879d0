package mend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mendkit/mend/command"
)

// envelope is a reply to the request for a command, taken apart.
type envelope struct {
	command    string
	confidence *float64 // nil if none was claimed that makes sense
	question   string   // instead of a command
	findings   []command.Finding
}

// isCommand reports whether there is a command in the reply.
func (e *envelope) isCommand() bool { return e.question == "" && !hasErrors(e.findings) }

// openReply takes a reply apart that came as text: one JSON object, perhaps in a fence
// or among prose, which is worth a warning. Nothing is fished for in a reply of another
// shape: half a command is another command.
func openReply(text string) envelope {
	body := strings.TrimSpace(text)
	if question, ok := cutPrefixFold(body, "QUESTION:"); ok && strings.TrimSpace(question) != "" {
		return envelope{question: strings.TrimSpace(question)}
	}
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return malformed(text, 0, "the reply is no JSON object")
	}
	dec := json.NewDecoder(strings.NewReader(text[start:]))
	var object json.RawMessage
	if err := dec.Decode(&object); err != nil {
		return malformed(text, start+offsetOf(err), "the reply is no JSON object")
	}
	end := start + int(dec.InputOffset())
	if second := strings.IndexByte(text[end:], '{'); second >= 0 {
		return malformed(text, end+second, "the reply holds more than one object")
	}
	e := openArguments(object)
	for i := range e.findings {
		e.findings[i].Start, e.findings[i].End = e.findings[i].Start+start, e.findings[i].End+start
	}
	around := strings.TrimSpace(text[:start]) + strings.TrimSpace(text[end:])
	if around != "" && e.question == "" && !hasErrors(e.findings) {
		detail := "prose"
		if strings.HasPrefix(around, "```") {
			detail = "fence"
		}
		e.findings = append(e.findings, command.Finding{
			Code: command.InvalidFormat, Detail: detail, Severity: command.SeverityWarn,
			Message: "there is more in the reply than the answer", Hint: "give the JSON object and nothing else",
		})
	}
	return e
}

// cutPrefixFold is strings.CutPrefix, but the prefix's case does not count.
func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// openArguments takes the arguments of the submit tool apart.
func openArguments(args []byte) envelope {
	members, at, err := readObject(args)
	if err != nil {
		return malformed(string(args), at, err.Error())
	}
	var e envelope
	var line *string
	var argv []string
	for _, m := range []struct {
		name string
		into any
	}{{"cmd", &line}, {"argv", &argv}, {"question", &e.question}} {
		if err := json.Unmarshal(members[m.name].text, m.into); members[m.name].text != nil && err != nil {
			return malformed(string(args), members[m.name].at, fmt.Sprintf("%q is of another type than it has to be", m.name))
		}
	}
	_ = json.Unmarshal(members["confidence"].text, &e.confidence) // of another type: as if it were missing
	if e.confidence != nil && (*e.confidence < 0 || *e.confidence > 1) {
		e.confidence = nil
	}
	asks := isGiven(members["question"].text)
	switch {
	case asks && (line != nil || argv != nil):
		return malformed(string(args), members["question"].at, "there is a question beside the command")
	case asks && strings.TrimSpace(e.question) == "":
		return malformed(string(args), members["question"].at, "the question is empty")
	case asks:
		return e
	case line != nil && argv != nil:
		return malformed(string(args), members["argv"].at, `there are both "cmd" and "argv"`)
	case line == nil && argv == nil:
		return malformed(string(args), 0, `there is neither "cmd" nor "argv"`)
	case argv != nil:
		e.command = command.Join(argv)
	default:
		e.command = *line
	}
	return e
}

// isGiven reports whether a member is there and not null.
func isGiven(text json.RawMessage) bool { return text != nil && string(text) != "null" }

// jsonValue is a value of a JSON object, and the offset where it ends.
type jsonValue struct {
	text json.RawMessage
	at   int
}

// readObject reads one JSON object in which no key stands twice, and nothing behind
// it. With an error comes the offset of what is wrong.
func readObject(data []byte) (map[string]jsonValue, int, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, 0, errors.New("the arguments are no JSON object")
	}
	members := make(map[string]jsonValue)
	for dec.More() {
		at := int(dec.InputOffset())
		key, err := dec.Token()
		if err != nil {
			return nil, offsetOr(err, at), errors.New("the arguments are no JSON object")
		}
		name, _ := key.(string)
		if _, twice := members[name]; twice {
			return nil, at, fmt.Errorf("%q is there twice", name)
		}
		var text json.RawMessage
		if err := dec.Decode(&text); err != nil {
			return nil, offsetOr(err, at), errors.New("the arguments are no JSON object")
		}
		members[name] = jsonValue{text, int(dec.InputOffset()) - len(text)}
	}
	if _, err := dec.Token(); err != nil {
		return nil, int(dec.InputOffset()), errors.New("the object does not end")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, int(dec.InputOffset()), errors.New("there is something behind the object")
	}
	return members, 0, nil
}

// offsetOf returns where a text stops being JSON, or 0.
func offsetOf(err error) int { return offsetOr(err, 0) }

func offsetOr(err error, otherwise int) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return max(0, int(syntax.Offset)-1)
	}
	return otherwise
}

// malformed is a reply of another shape.
func malformed(reply string, at int, why string) envelope {
	at = min(at, len(reply))
	return envelope{findings: []command.Finding{{
		Code: command.InvalidFormat, Detail: "json", Severity: command.SeverityError,
		Message: fmt.Sprintf("%s (at byte %d)", why, at), Hint: "call the submit tool, or give one JSON object",
		Start: at, End: len(reply),
	}}}
}
