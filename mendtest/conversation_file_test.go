package mendtest_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

const handWritten = `{
  "provider": "p",
  "exchanges": [
    {
      "request": {
        "system": ["Be brief.", "Be right."],
        "tools": [{"name": "submit", "parameters": {"type": "object"}}],
        "messages": [{"role": "user", "content": "Which word?"}],
        "tool_choice": "tool:submit"
      },
      "response": {
        "message": {"role": "assistant", "tool_calls": [
          {"id": "a", "name": "submit", "arguments": {"word": "one"}},
          {"id": "b", "name": "submit", "arguments_text": "{\"word\":"}
        ]},
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 7}
      }
    },
    {
      "request": {"tools": [], "same_messages": 1},
      "error": {"kind": "rate_limited", "retry_after_ns": 1000000000, "message": "slow down"}
    }
  ]
}`

func TestReadConversationByHand(t *testing.T) {
	c, err := mendtest.ReadConversation(strings.NewReader(handWritten))
	require.NoError(t, err)
	require.Len(t, c.Exchanges, 2)
	first, second := c.Exchanges[0], c.Exchanges[1]
	assert.Equal(t, "Be brief.\nBe right.", first.Request.SystemPrompt)
	assert.Equal(t, `{"word":"one"}`, string(first.Response.Message.ToolCalls[0].Arguments))
	assert.Equal(t, `{"word":`, string(first.Response.Message.ToolCalls[1].Arguments))
	assert.Equal(t, mend.Usage{InputTokens: 7}, first.Response.Usage)
	assert.Equal(t, first.Request.SystemPrompt, second.Request.SystemPrompt, "what is left out is as before")
	assert.Equal(t, first.Request.Messages, second.Request.Messages)
	assert.Empty(t, second.Request.Tools)
	assert.EqualError(t, second.Error, ": rate_limited, retry after 1s: slow down")
}

func TestReadConversationIsStrict(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, err string }{
		"unknown key":            {`"id": "a"`, `"idd": "a"`, `line 13, column 12: exchanges[0].response.message.tool_calls[0]: unknown key "idd"`},
		"unknown key at the top": {`"provider": "p",`, `"provider": "p", "x": 1,`, `line 2, column 20: unknown key "x"`},
		"key in other letters":   {`"request": {"t`, `"Request": {"t`, `line 21, column 7: exchanges[1]: unknown key "Request"`},
		"key twice":              {`"id": "a"`, `"id": "a", "id": "b"`, `line 13, column 23: exchanges[0].response.message.tool_calls[0]: the key "id" stands here twice`},
		"opaque twice":           {`"role": "user"`, `"role": "user", "opaque": {"p": 1, "p": 2}`, `line 8, column 58: exchanges[0].request.messages[0].opaque: the key "p" stands here twice`},
		"opaque that is none":    {`"role": "user"`, `"role": "user", "opaque": 1`, `opaque: is no object`},
		"null":                   {`"stop_reason": "tool_use"`, `"stop_reason": null`, `line 16, column 24: exchanges[0].response.stop_reason: is null`},
		"wrong type":             {`"input_tokens": 7`, `"input_tokens": "7"`, `line 17, column 35: exchanges[0].response.usage.input_tokens: is a string where int64 is wanted`},
		"a list for an object":   {`"usage": {"input_tokens": 7}`, `"usage": []`, `exchanges[0].response.usage: is no object`},
		"an object for a list":   {`"tools": []`, `"tools": {}`, `exchanges[1].request.tools: is no list`},
		"text that is none":      {`"slow down"`, `7`, `exchanges[1].error.message: is neither a string nor a list of lines`},
		"a line that is none":    {`"Be right."`, `null`, `exchanges[0].request.system: a line is null`},
		"request twice":          {`"error": {"kind": "rate_limited", "retry_after_ns": 1000000000, "message": "slow down"}`, `"request": {}`, `line 22, column 7: exchanges[1]: the key "request" stands here twice`},
		"neither answer nor error": {`,
      "error": {"kind": "rate_limited", "retry_after_ns": 1000000000, "message": "slow down"}`, ``, `line 20, column 5: exchanges[1]: needs one of response and error`},
		"answer and error":        {`"error": {`, `"response": {"message": {"role": "assistant"}, "stop_reason": "other"}, "error": {`, `exchanges[1]: needs one of response and error`},
		"error without a kind":    {`"kind": "rate_limited", `, ``, `line 22, column 16: exchanges[1].error: there is no kind`},
		"no provider":             {`"provider": "p",`, ``, `line 1, column 1: there is no provider`},
		"no role":                 {`"role": "user", `, ``, `line 8, column 22: exchanges[0].request.messages[0]: the role is ""`},
		"no role of the answer":   {`"role": "assistant", `, ``, `exchanges[0].response.message: the role is ""`},
		"too many messages":       {`"same_messages": 1`, `"same_messages": 2`, `exchanges[1].request: same_messages is 2, and the request before has 1 messages`},
		"less than none":          {`"same_messages": 1`, `"same_messages": -1`, `same_messages is -1`},
		"arguments in both forms": {`"arguments_text"`, `"arguments": {}, "arguments_text"`, `exchanges[0].response.message.tool_calls[1]: has both arguments and arguments_text`},
		"no JSON":                 {`"exchanges": [`, `"exchanges" [`, `line 3, column 15: invalid character '['`},
		"cut off":                 {"\n  ]\n}", "", `unexpected end of JSON input`},
		"more behind":             {"\n  ]\n}", "\n  ]\n}\n{}", `line 26, column 1: invalid character '{' after top-level value`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, handWritten, tt.old)
			c, err := mendtest.ReadConversation(strings.NewReader(strings.Replace(handWritten, tt.old, tt.new, 1)))
			require.ErrorContains(t, err, tt.err)
			assert.True(t, strings.HasPrefix(err.Error(), "conversation: line "), err)
			assert.Nil(t, c)
		})
	}
	_, err := mendtest.ReadConversation(iotest.ErrReader(errFull))
	assert.ErrorIs(t, err, errFull)
}

func TestWriteConversationReportsTheWriter(t *testing.T) {
	c := &mendtest.Conversation{Provider: "p", Exchanges: []mendtest.Exchange{{Error: &mend.ProviderError{Kind: mend.KindAuth, Err: errors.New("no")}}}}
	assert.ErrorIs(t, mendtest.WriteConversation(&failingWriter{room: 10}, c), errFull)
}

func TestWriteConversationWritesWhatIsNew(t *testing.T) {
	c, err := mendtest.ReadConversation(strings.NewReader(handWritten))
	require.NoError(t, err)
	c.Exchanges = append(c.Exchanges, c.Exchanges[0])
	c.Exchanges[2].Request.SystemPrompt = ""
	again, err := mendtest.ReadConversation(strings.NewReader(written(t, c)))
	require.NoError(t, err)
	assert.Equal(t, c, again, "a prompt that is gone is not one that did not change")
}
