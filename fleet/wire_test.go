package fleet

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzWire holds of whatever others may have written to a stream or a bucket: nothing
// panics; what comes under any subject has a key that a bucket takes; a job that is read
// is the same when it is written and read again, and so is a result; an outcome is a
// result or an error, and never both or neither; and what is known of a job's tries never
// counts fewer than none.
func FuzzWire(f *testing.F) {
	job := NewJob(mend.BuildRequest{Package: "frob", Version: "1.2.3", Source: "x"}, "")
	letter := DeadLetter{Job: job, Reason: "3 tries failed", Tries: []Try{{Delivery: 1, Error: "no route"}}, Lost: 2}
	result := Result{Job: job, Recipe: "[verify]\n", Strength: mend.StrengthVersion, Repair: &mend.RepairMetadata{}, Failure: &Failure{}}
	for _, v := range []any{
		job, letter, outcome{Dead: &letter}, outcome{Result: &result}, outcome{}, past{Begun: 1, Failed: 2, Tries: letter.Tries},
		batch{Sealed: true, Last: 7}, breakerEntry{Open: true, Until: time.Unix(1e9, 0), By: "another"}, spent{Calls: 1, NanoUSD: 5},
	} {
		data, err := json.Marshal(v)
		require.NoError(f, err)
		f.Add("mend.batch.job."+job.Key, data)
	}
	f.Add("mend.batch.job.we!rd", []byte("null"))
	f.Add("mend.batch.dead."+strings.Repeat("x", 300), []byte(`{"result":{"strength":"Strength(99)"}}`))
	f.Add("", []byte(`{"key":"\ud800"}`))
	f.Fuzz(func(t *testing.T, subject string, data []byte) {
		key := keyOf(subject)
		assert.Regexp(t, `^[-_a-zA-Z0-9]{1,128}$`, key)
		assert.Equal(t, key, keyOf("mend.batch.job."+key))

		j, err := decodeJob(key, data)
		assert.Equal(t, key, j.Key)
		if err == nil {
			sameJob(t, j)
		}
		if j, ok := jobOfLetter(subject, data); ok {
			assert.Equal(t, key, j.Key)
			sameJob(t, j)
		}
		r, err := decode(data)
		assert.NotEqual(t, r == nil, err == nil)
		if err == nil {
			require.NoError(t, r.check())
			again, err := json.Marshal(outcome{Result: r})
			require.NoError(t, err)
			back, err := decode(again)
			require.NoError(t, err)
			assert.Equal(t, jsonOf(t, r), jsonOf(t, back))
		}
		var p past
		if json.Unmarshal(data, &p) == nil {
			assert.GreaterOrEqual(t, p.lost(), 0)
		}
		breaker := sharedBreaker{breaker: mend.NewCircuitBreaker("p", nil), name: "this"}
		breaker.hear(data)
		assert.NotEqual(t, mend.StateHalfOpen, breaker.breaker.State(), "a probe is for whoever makes one")
	})
}

// sameJob holds that a job is the same on the other side, if it is not too long for that.
func sameJob(t *testing.T, j Job) {
	data, err := j.encode()
	if err != nil {
		assert.ErrorContains(t, err, "is the limit")
		return
	}
	back, err := decodeJob(j.Key, data)
	require.NoError(t, err)
	assert.Equal(t, j, back)
}

func jsonOf(t *testing.T, v any) string {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}
