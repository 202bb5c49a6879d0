// Package anthropic makes Claude a [mend.Provider], through Anthropic's Messages API
// and its official SDK.
//
// It reads no environment, retries nothing and reports nothing to anyone: retries
// and failover are mend.Failover's. An answer that the model broke off to refuse is
// an answer with [mend.StopContentFilter]; a request that the API refused is an error
// of [mend.KindContentFilter].
package anthropic
