package mend_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readingOrder is the order in which the package is read, top to bottom. A file
// may use names from files above it, never from one below. The files of one
// line are for different systems.
var readingOrder = strings.Fields(`
	sanitize_bytes.go sanitize_normalise.go sanitize_filter.go sanitize_span.go sanitize_words.go sanitize_value.go
	sanitize_token_rows.go sanitize_token.go sanitize_privatekey.go
	sanitize_name.go sanitize_separator.go sanitize_url.go sanitize_gate.go sanitize_label_value.go sanitize_label_line.go sanitize_label.go
	sanitize_header.go sanitize_command.go
	sanitize_address.go sanitize_home.go sanitize_email.go
	sanitize_trim.go sanitize_known.go sanitize_scan.go sanitize.go
	errors.go
	text.go
	version.go
	recipe.go recipe_scan.go recipe_list.go recipe_find.go recipe_value.go recipe_table.go recipe_section.go recipe_edit.go recipe_parse.go recipe_bytes.go
	sandbox.go
	verify.go
	sandbox_func.go
	capture.go sandbox_script.go sandbox_local_lookup.go sandbox_local_unix.go sandbox_local_notunix.go sandbox_share.go sandbox_local_launch.go
	sandbox_local_run.go sandbox_local_tier.go sandbox_local_other.go sandbox_local_proc_linux.go sandbox_local_plain.go
	sandbox_local_supervise_linux.go sandbox_local_nobody_linux.go sandbox_local_seccomp_linux.go
	sandbox_local_landlock_linux.go sandbox_local_namespaces_linux.go sandbox_local_bwrap_linux.go
	sandbox_local_linux.go sandbox_local.go
	sandbox_container_owner_linux.go sandbox_container_owner_other.go sandbox_container_engine.go sandbox_container_orphans.go
	sandbox_container_options.go sandbox_container_stream.go sandbox_container_box.go sandbox_container_run.go sandbox_container.go
	evidence.go
	names.go
	matcher.go
	lineforms.go
	signature.go signatures_system.go signatures_runtime.go signatures_words.go signature_index.go
	options.go
	echo.go
	usage.go
	reading.go
	stated.go
	working.go
	synopsis.go
	advert.go
	stable.go
	literals.go
	analyzer.go
	lint.go
	error_category.go error_phrases.go error_compare.go error_details.go parsed_error.go
	fold.go
	failure.go
	broken_prints.go
	proof.go
	candidate.go
	help.go
	repair.go
	provider.go
	event.go
	breaker_outcome.go breaker.go breaker_adopt.go failover_outage.go failover.go
	builder.go
	limits.go
	prompt.go
	prompt_command_words.go prompt_command.go
	conversation.go
	envelope.go
	conversation_command.go
	weak.go
	model_builder.go
	validation.go
	mending.go
	demand.go
	confirm.go
	orchestrator.go
	batch.go
	doc.go
`)

// planReadingOrder is the same for package plan.
var planReadingOrder = strings.Fields(`
	split.go code.go
	tool_names.go tool.go sequence.go
	literal.go signals_lines.go signal.go signal_given.go signals_build.go signals_node.go signals_go.go signals_python.go
	signals_java.go signals_web.go signals_any.go signals.go
	glob.go contract.go contract_read.go
	plan.go
	signature.go meta.go message.go classify.go retry.go adjust.go
	state.go request.go generated.go started.go denied.go policy.go result.go options.go options_env.go
	makefile.go target.go build.go
	ecosystem.go candidates.go inline.go skip.go
	workspace.go workspace_git.go workspace_dir.go workspace_base.go
	runner.go record.go scope.go fix.go entry.go run.go
	model.go
	doc.go
`)

// TestFilesReferUpwardsOnly holds the reading order.
func TestFilesReferUpwardsOnly(t *testing.T) {
	for dir, order := range map[string][]string{".": readingOrder, "plan": planReadingOrder} {
		t.Run(dir, func(t *testing.T) { checkReadingOrder(t, dir, order) })
	}
}

func checkReadingOrder(t *testing.T, dir string, order []string) {
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for i, name := range all {
		all[i] = filepath.Base(name)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	for _, name := range all {
		assert.True(t, slices.Contains(order, name), "%s is not in the reading order", name)
	}
	for _, name := range order {
		assert.True(t, slices.Contains(all, name), "%s is in the reading order, but there is no such file", name)
	}

	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range all {
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	uses := make(map[*ast.Ident]types.Object)
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check(dir, fset, files, &types.Info{Uses: uses})
	require.NotNil(t, pkg)
	require.NotEmpty(t, uses)
	for ident, obj := range uses {
		if obj.Pkg() != pkg || !obj.Pos().IsValid() {
			continue
		}
		from, to := fset.Position(ident.Pos()), fset.Position(obj.Pos())
		if slices.Index(order, filepath.Base(from.Filename)) < slices.Index(order, filepath.Base(to.Filename)) {
			t.Errorf("%s uses %s, which stands below in %s", from, obj.Name(), to.Filename)
		}
	}
}

// noImports gives an empty package for each import: only names of the package
// itself matter here, and they are resolved without the others.
type noImports struct{}

func (noImports) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}
