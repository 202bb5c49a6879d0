// Package mend decides from what a program printed whether it works, and writes
// down the strongest check that a broken install of it would fail.
//
// Programs that generate install recipes for command-line tools hand mend a
// generator ([Builder]) and a place to install in ([Sandbox]), and call
// [Orchestrator.Create]. It installs the recipe once, runs its check, and when
// that fails although the tool works, mends it: the rules of [DefaultRules]
// propose better checks, each is run in the same environment, judged, and proven.
// What comes back is a recipe whose check is known to pass, how it was mended, and
// what that check proves ([Strength]); or an error that says why not.
//
//	Builder ─▶ Session.Generate ─▶ Recipe
//	                                 │ LintRecipe: what is wrong with its commands, before anything runs
//	                                 ▼
//	Sandbox.Install ─▶ Environment     once per recipe
//	                    │ Run(check) ─▶ Observation
//	                    ▼
//	                  Judge ── passed ──────────────────────▶ BuildResult
//	                    │ failed
//	                    ▼
//	                 analysis ─▶ Rules ─▶ candidates ─ Run ─ Judge ─ proof ─▶ BuildResult
//	                    │ nothing deterministic holds
//	                    ▼
//	                  Failure ─▶ Session.Repair ─▶ next Recipe, at most MaxRepairs times
//	                    │ still failing
//	                    ▼
//	                  *ValidationFailedError
//
// # Guarantees
//
// A recipe is installed once, however many checks are tried. An error of the
// sandbox or of the builder is returned as it is, and never counts against the
// recipe. A check that passes is left alone, and a recipe is never changed but in
// its verify section ([Recipe.WithVerify]). A mended check fails on the tool's
// answer to an impossible option, unless its strength says that it is just that,
// and on everything that broken installs are known to print. Output that shows a
// broken install vetoes whatever else it holds. Another version than the installed
// one is a finding, never mended. A command is read before it is run, wherever it comes
// from; one that would do harm ends the request, and no model is asked to reword it.
//
// What a model writes ([NewModelBuilder]) is held to the same: a check that it
// submits in a repair is proven before it is believed, and [Limits] bound what it
// may cost. Only sanitised text enters a request, an error or an event.
//
// # Which layer to use
//
// Most callers want [New] and [Orchestrator.Create], or [Orchestrator.CreateAll]
// for many, with a [LocalSandbox], and perhaps a [ContainerSandbox] that confirms. A program with its own loop can call the pure functions underneath:
// [AnalyzeVerifyFailure] for what an output shows, [Judge] for whether a check
// holds, [ParseRecipe] and [Recipe.WithVerify] for editing recipes byte by byte.
// [NewFailover] and [NewCircuitBreaker] serve any program that asks models, and
// [NewSanitizer] any that shows output to others. [Conversation.Command] has a model
// write one command that is read before it is returned. Package command splits and
// reads command lines; package mendtest has what unit tests need.
package mend
