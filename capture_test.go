package mend

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCapture(t *testing.T) {
	tests := map[string]struct {
		limit  int
		writes []string
		want   string
		cut    bool
	}{
		"nothing":                {limit: 8},
		"short":                  {8, []string{"abc", "de"}, "abcde", false},
		"exactly the limit":      {8, []string{"abcdefgh"}, "abcdefgh", false},
		"one byte more":          {8, []string{"abcdefghi"}, "abcd\n[... 1 bytes omitted ...]\nfghi", true},
		"byte by byte":           {4, strings.Split("abcdefghijklmnop", ""), "ab\n[... 12 bytes omitted ...]\nop", true},
		"odd limit":              {5, []string{"abcdefghij"}, "ab\n[... 5 bytes omitted ...]\nhij", true},
		"cut before a rune ends": {8, []string{"abcé" + "0123456789" + "wxyz"}, "abc\n[... 12 bytes omitted ...]\nwxyz", true},
		"cut after a rune began": {8, []string{"abcd" + "0123456789" + "éxyz"}, "abcd\n[... 12 bytes omitted ...]\nxyz", true},
		"runes that fit":         {8, []string{"éé" + "0123456789" + "éé"}, "éé\n[... 10 bytes omitted ...]\néé", true},
		"bytes that are no text": {8, []string{"\xff\xfe\x00\xff" + "0123" + "\xff\x00\xfe\xff"}, "\xff\xfe\x00\xff\n[... 4 bytes omitted ...]\n\xff\x00\xfe\xff", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := capture{limit: test.limit}
			for _, s := range test.writes {
				n, err := c.Write([]byte(s))
				require.NoError(t, err)
				require.Equal(t, len(s), n)
			}
			got, cut := c.text()
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.cut, cut)
		})
	}
}

func TestCaptureMemoryIsBounded(t *testing.T) {
	c := capture{limit: 1 << 10}
	chunk := []byte(strings.Repeat("0123456789", 77))
	for range 10_000 {
		c.Write(chunk)
	}
	assert.LessOrEqual(t, cap(c.head)+cap(c.tail), 4<<10)
	assert.Equal(t, int64(7_700_000), c.total)
}

func FuzzCapture(f *testing.F) {
	f.Add([]byte("hello, wörld"), uint8(4), uint8(3))
	f.Add([]byte("\xff\xff\xff\x80\x80\x80ééééééé"), uint8(5), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, limit, chunk uint8) {
		c := capture{limit: int(limit) + 1}
		for rest := data; len(rest) > 0; {
			n := min(int(chunk)+1, len(rest))
			c.Write(rest[:n])
			rest = rest[n:]
		}
		got, cut := c.text()
		if !cut {
			require.Equal(t, string(data), got, "nothing is left out, so nothing is changed")
			require.LessOrEqual(t, len(data), c.limit)
			return
		}
		checkCut(t, string(data), got, c.limit)
	})
}

// checkCut sees that got is the head of data, a line with the right number, and
// the tail of data, within a limit.
func checkCut(t *testing.T, data, got string, limit int) {
	t.Helper()
	for omitted := 1; omitted <= len(data); omitted++ {
		head, tail, found := strings.Cut(got, fmt.Sprintf("\n[... %d bytes omitted ...]\n", omitted))
		if !found || len(head)+len(tail)+omitted != len(data) {
			continue
		}
		require.True(t, strings.HasPrefix(data, head))
		require.True(t, strings.HasSuffix(data, tail))
		require.LessOrEqual(t, len(head)+len(tail), limit)
		require.GreaterOrEqual(t, len(head)+len(tail), limit-2*(utf8.UTFMax-1))
		if utf8.ValidString(data) {
			require.True(t, utf8.ValidString(head) && utf8.ValidString(tail))
		}
		return
	}
	t.Fatalf("no line with the number of bytes left out of %q in %q", data, got)
}
