package mend_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// requireEdit checks that WithVerify changes the verify section of a parsed
// recipe into v, and nothing else.
func requireEdit(t *testing.T, r *mend.Recipe, v mend.VerifySection) *mend.Recipe {
	t.Helper()
	before, metadata, steps, section := r.Bytes(), r.Metadata, r.Steps, r.Verify
	edited := r.WithVerify(v).Bytes()
	parsed, err := mend.ParseRecipe(edited)
	require.NoError(t, err, "%s\n----\n%s", before, edited)
	require.NotNil(t, parsed.Verify, "%s\n----\n%s", before, edited)
	require.Equal(t, normalSection(v), normalSection(*parsed.Verify), "%s\n----\n%s", before, edited)
	require.Equal(t, metadata, parsed.Metadata)
	require.True(t, sameTOML(steps, parsed.Steps), "%s\n----\n%s", before, edited)
	require.True(t, sameTOML(withoutVerify(t, before), withoutVerify(t, edited)), "%s\n----\n%s", before, edited)
	requireSameOutside(t, before, edited)
	require.Equal(t, string(before), string(r.Bytes()), "the receiver changed")
	if section != nil {
		again := parsed.WithVerify(*section)
		back, err := mend.ParseRecipe(again.Bytes())
		require.NoError(t, err)
		require.Equal(t, normalSection(*section), normalSection(*back.Verify))
		requireSameOutside(t, before, again.Bytes())
	}
	return parsed
}

// requireRemoval checks that a nil Verify takes the section out.
func requireRemoval(t *testing.T, r *mend.Recipe) {
	t.Helper()
	before := r.Bytes()
	r = r.WithVerify(mend.VerifySection{})
	r.Verify = nil
	parsed, err := mend.ParseRecipe(r.Bytes())
	require.NoError(t, err, "%s\n----\n%s", before, r.Bytes())
	require.Nil(t, parsed.Verify, "%s\n----\n%s", before, r.Bytes())
	require.True(t, sameTOML(withoutVerify(t, before), withoutVerify(t, r.Bytes())))
	requireSameOutside(t, before, r.Bytes())
}

// requireCompose checks that the fields alone make up an equal recipe.
func requireCompose(t *testing.T, r *mend.Recipe) {
	t.Helper()
	composed := mend.Recipe{Metadata: r.Metadata, Steps: r.Steps, Verify: r.Verify}
	text := composed.Bytes()
	parsed, err := mend.ParseRecipe(text)
	require.NoError(t, err, "%s", text)
	require.Equal(t, r.Metadata, parsed.Metadata)
	require.True(t, sameTOML(r.Steps, parsed.Steps), "%s", text)
	if r.Verify == nil {
		require.Nil(t, parsed.Verify)
		return
	}
	require.Equal(t, normalSection(*r.Verify), normalSection(*parsed.Verify), "%s", text)
}

// normalSection makes empty lists nil.
func normalSection(v mend.VerifySection) mend.VerifySection {
	if len(v.Patterns) == 0 {
		v.Patterns = nil
	}
	if len(v.Additional) == 0 {
		v.Additional = nil
	}
	return v
}

// withoutVerify decodes a document and drops its verify section.
func withoutVerify(t *testing.T, doc []byte) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, toml.Unmarshal(doc, &m))
	delete(m, "verify")
	return m
}

// sameTOML is reflect.DeepEqual for decoded TOML, in which NaN equals NaN.
func sameTOML(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.IsValid() || !y.IsValid() || x.Type() != y.Type() {
		return x.IsValid() == y.IsValid()
	}
	switch a := a.(type) {
	case float64:
		return math.Float64bits(a) == math.Float64bits(b.(float64)) || math.IsNaN(a) && math.IsNaN(b.(float64))
	case time.Time:
		return a.Equal(b.(time.Time)) && a.Location().String() == b.(time.Time).Location().String()
	case mend.Step:
		return a.Action == b.(mend.Step).Action && sameTOML(a.Params, b.(mend.Step).Params)
	}
	switch x.Kind() {
	case reflect.Map:
		if x.Len() != y.Len() {
			return false
		}
		for it := x.MapRange(); it.Next(); {
			other := y.MapIndex(it.Key())
			if !other.IsValid() || !sameTOML(it.Value().Interface(), other.Interface()) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return x.Len() == y.Len() && sameItems(x, y)
	default:
		return a == b
	}
}

func sameItems(x, y reflect.Value) bool {
	for i := range x.Len() {
		if !sameTOML(x.Index(i).Interface(), y.Index(i).Interface()) {
			return false
		}
	}
	return true
}
