// Package gemini makes Gemini a [mend.Provider], through Google's Gemini API and its
// official SDK.
//
// It retries nothing and reports nothing to anyone: retries and failover are
// mend.Failover's. It reads no environment; the SDK looks at GOOGLE_API_KEY and
// GEMINI_API_KEY, and logs a line if both are set, but uses neither. An answer that
// was broken off by a filter is an answer with [mend.StopContentFilter]; a prompt that
// was blocked is an error of [mend.KindContentFilter].
package gemini
