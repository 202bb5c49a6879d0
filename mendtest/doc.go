// Package mendtest is what programs that embed mend need in their own tests: a
// sandbox that replays recorded observations, a recorder that makes such
// recordings from a real sandbox, a builder that follows a script, and
// [TestSandbox], which checks a sandbox of one's own against the contract.
//
// For models there are a provider that follows a script ([ScriptedProvider]), one
// that fails by plan ([FaultProvider]), and a pair that records conversations with
// a real one and plays them ([RecordingProvider], [ReplayProvider]).
package mendtest
