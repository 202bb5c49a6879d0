package mend_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// update has tests rewrite what they want instead of comparing with it.
var update = flag.Bool("update", false, "rewrite testdata/api.txt and what testdata/scenario expects")

// TestExportedAPI holds testdata/api.txt, so that every change of what programs
// compile against shows in review.
func TestExportedAPI(t *testing.T) {
	var api strings.Builder
	for _, dir := range []string{".", "command", "plan", "mendtest", "fleet", "installer"} {
		lines := exported(t, dir)
		require.NotEmpty(t, lines, dir)
		if dir != "." {
			api.WriteByte('\n')
		}
		api.WriteString(strings.Join(lines, "\n") + "\n")
	}
	const file = "testdata/api.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(api.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), api.String(), "run the test with -update if this is what is meant")
}

// exported returns one line for each exported name of the package in dir, on
// whatever system, sorted.
func exported(t *testing.T, dir string) []string {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	fset := token.NewFileSet()
	var all, here []*ast.File // of all systems, and of this one
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		all = append(all, f)
		if ok, err := build.Default.MatchFile(filepath.Split(path)); err == nil && ok {
			here = append(here, f)
		}
	}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check("p", fset, here, nil)
	require.NotNil(t, pkg)
	l := apiLister{scope: pkg.Scope()}
	for _, f := range all {
		l.file(f)
	}
	slices.Sort(l.lines)
	return slices.Compact(l.lines)
}

// apiLister collects the lines of one package.
type apiLister struct {
	pkg   string
	scope *types.Scope // of the package as built here; only the values of constants are taken from it
	lines []string
}

func (l *apiLister) file(f *ast.File) {
	l.pkg = f.Name.Name
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			l.function(d)
		case *ast.GenDecl:
			l.declaration(d)
		}
	}
}

// add puts a line together.
func (l *apiLister) add(format string, args ...any) {
	l.lines = append(l.lines, "pkg "+l.pkg+", "+fmt.Sprintf(format, args...))
}

// syntax returns a piece of syntax on one line, however it is laid out.
func syntax(node ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil { // positions mean nothing to this set
		panic(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// signature returns a function's parameters and results.
func signature(f *ast.FuncType) string { return strings.TrimPrefix(syntax(f), "func") }

func (l *apiLister) function(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	if d.Recv == nil {
		l.add("func %s%s", d.Name, signature(d.Type))
		return
	}
	of := syntax(d.Recv.List[0].Type)
	if ast.IsExported(strings.TrimPrefix(of, "*")) {
		l.add("method (%s) %s%s", of, d.Name, signature(d.Type))
	}
}

func (l *apiLister) declaration(d *ast.GenDecl) {
	var inherited ast.Expr // type of the constants that follow one with a type
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				l.typeSpec(s)
			}
		case *ast.ValueSpec:
			if s.Type != nil || s.Values != nil {
				inherited = s.Type
			}
			for i, name := range s.Names {
				if name.IsExported() {
					l.add("%s %s%s%s", d.Tok, name, typeText(inherited), l.value(d.Tok, s, i))
				}
			}
		}
	}
}

func typeText(t ast.Expr) string {
	if t == nil {
		return ""
	}
	return " " + syntax(t)
}

// value returns what a constant is, or nothing for a variable.
func (l *apiLister) value(tok token.Token, s *ast.ValueSpec, i int) string {
	if tok != token.CONST {
		return ""
	}
	if i < len(s.Values) {
		if literal, ok := s.Values[i].(*ast.BasicLit); ok {
			return " = " + literal.Value
		}
	}
	if c, ok := l.scope.Lookup(s.Names[i].Name).(*types.Const); ok {
		return " = " + c.Val().ExactString()
	}
	return ""
}

func (l *apiLister) typeSpec(s *ast.TypeSpec) {
	switch t := s.Type.(type) {
	case *ast.StructType:
		l.add("type %s struct", s.Name)
		for _, f := range t.Fields.List {
			l.member(s.Name.Name+" struct, ", f, " "+syntax(f.Type))
		}
	case *ast.InterfaceType:
		l.add("type %s interface", s.Name)
		for _, f := range t.Methods.List {
			if method, ok := f.Type.(*ast.FuncType); ok {
				l.member(s.Name.Name+" interface, ", f, signature(method))
				continue
			}
			l.member(s.Name.Name+" interface, ", f, " "+syntax(f.Type))
		}
	default:
		alias := ""
		if s.Assign.IsValid() {
			alias = "= "
		}
		l.add("type %s %s%s", s.Name, alias, syntax(t))
	}
}

// member lists the exported names of a field or a method, with the field's tag.
func (l *apiLister) member(of string, f *ast.Field, what string) {
	if f.Tag != nil {
		what += " " + f.Tag.Value
	}
	if f.Names == nil {
		l.add("type %sembedded%s", of, what)
	}
	for _, name := range f.Names {
		if name.IsExported() {
			l.add("type %s%s%s", of, name, what)
		}
	}
}
