// Package openai makes a [mend.Provider] of a model behind OpenAI's Chat Completions
// API, through its official SDK. With a base URL it serves everything that speaks this
// API: Ollama, vLLM, OpenRouter and others.
//
// It reads no environment, retries nothing and reports nothing to anyone: retries
// and failover are mend.Failover's. An answer that refuses, or was broken off by a
// filter, is an answer with [mend.StopContentFilter]; a request that the API refused is
// an error of [mend.KindContentFilter].
package openai
