package plan_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

// tree makes a file system of names and contents, in turns.
func tree(files ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

const sampleMakefile = `# a comment: with a colon
CC := gcc
FLAGS = -x:y
NAME ?= app
export PATH := /x
.PHONY: all clean \
	lint
all: app ; @echo done
app: main.c
	gcc -o app main.c
test: all
	./app: run
a b c: x
dbl:: y
%.html: %.md
	pandoc $<
gen-%: x
	true
objs: FLAGS = -O2
static1 static2: %: %.in
ifeq ($(CC),gcc)
cond: x
	true
endif
build/out: x
.md.txt:
	true
deps-only: needed
`

func TestMissingMakeTarget(t *testing.T) {
	fsys := tree("Makefile", sampleMakefile, "data", "x", "prog.c", "", "script.sh", "", "sub/Makefile", "inner:\n\ttrue\n", "sub/keep", "", "dir/x", "")
	assertMissing(t, fsys, map[string]string{
		"make nope": "nope", "gmake nope": "nope", "/usr/bin/make nope": "nope", "make all nope": "nope", "make -s nope": "nope", "make -j4 nope": "nope",
		"make -j 4 nope": "nope", "make -j nope": "nope", "make -l 2.5 nope": "nope", "make --jobs=2 nope": "nope", "make --jobs 2 nope": "nope", "make -kB nope": "nope",
		"make V=1 nope": "nope", "make -o main.c nope": "nope", "make -W main.c nope": "nope", "make --old-file=x nope": "nope", "make -- nope": "nope", "make -n nope": "nope",
		"CC=x make nope": "nope", "make needed": "needed", "make gcc": "gcc", "make gen-": "gen-", "cd sub && make all": "all", "make x.pdf": "x.pdf", "make 4": "4",
		"make all test nope dbl": "nope", "make -kj 3 nope": "nope", "make -s -- nope": "nope", "make NAME=x nope": "nope", "make true": "true",
		"make --output-sync=line nope": "nope", "make -Otarget nope": "nope", "make --no-print-directory nope": "nope",
		// there, or nobody can tell
		"make": "", "make all": "", "make clean": "", "make lint": "", "make app": "", "make test": "", "make a b c": "", "make dbl": "", "make x.html": "", "make gen-x": "",
		"make objs": "", "make static1 static2": "", "make cond": "", "make build/out": "", "make ./all": "", "make x.txt": "", "make deps-only": "",
		"make data": "", "make dir": "", "make prog": "", "make script": "", "make foo.o": "", "make libx.a": "", "make /abs/x": "", "make ../x": "",
		"make -f other nope": "", "make -fother nope": "", "make --file=x nope": "", "make --makefile x nope": "", "make -C sub nope": "", "make -Csub nope": "", "make -kC sub nope": "",
		"make --directory=sub nope": "", "make -I inc nope": "", "make --include-dir=inc nope": "", "make --eval=nope: nope": "", "make -v nope": "", "make --version nope": "",
		"MAKEFILES=x make nope": "", "MAKEFLAGS=-fx make nope": "", "cd sub && make inner keep": "", "cd none && make nope": "", "make -j 4": "", "make -o nope all": "", "make -W nope": "",
		"make NAME=x": "", "bmake nope": "", "echo make nope": "",
	})
}

// assertMissing holds which target of each line is not there; "" if none is missing.
func assertMissing(t *testing.T, fsys fs.FS, lines map[string]string) {
	t.Helper()
	for line, want := range lines {
		parts, err := plan.Split(line)
		if !assert.NoError(t, err, line) {
			continue
		}
		name, missing := plan.MissingTarget(fsys, parts[0])
		assert.Equal(t, want, name, line)
		assert.Equal(t, want != "", missing, line)
	}
}

func TestMissingMakeTargetDoubts(t *testing.T) {
	for makefile, missing := range map[string]bool{
		"":                                  true,
		"all: x\n":                          true,
		"include other.mk\nall: x\n":        false,
		"-include other.mk\n":               false,
		"sinclude other.mk\n":               false,
		"  include other.mk\n":              false,
		"\tinclude other.mk\n":              true, // a recipe
		"define rule\nnope:\nendef\n":       false,
		".DEFAULT:\n\ttrue\n":               false,
		"$(TARGETS): x\n":                   false,
		"${TARGETS}: x\n":                   false,
		"x-$(Y): z\n":                       false,
		"x: $(Y)\n":                         true,
		".PHONY: $(ALL)\n":                  false,
		"$(eval $(call rules,x))\n":         false,
		"$(foreach t,a b,$(eval $(t):))\n":  false,
		"X := $(eval nope:)\n":              false,
		"X = $(shell ls)\n":                 true,
		"X = a:b\n":                         true,
		"X:=a\n":                            true,
		"X::=a\n":                           true,
		"X+=$(Y)\n":                         true,
		"X != ls\n":                         true,
		"override X = $(Y): z\n":            true,
		"%: x\n\ttrue\n":                    false,
		"VPATH = src\n":                     false,
		"vpath %.c src\n":                   false,
		".RECIPEPREFIX = >\n":               false,
		".SUFFIXES:\n":                      true,
		".SUFFIXES: .x\n":                   false,
		".c:\n\tcc $<\n":                    false,
		".env:\n\ttouch .env\n":             true,
		"nope : x\n":                        false,
		"a nope: x\n":                       false,
		"no\\\npe: x\n":                     true,
		"a \\\n nope: x\n":                  false,
		"nope&: x\n":                        false,
		"# nope: x\n":                       true,
		"x: nope\n":                         true,
		"x: y # nope: z\n":                  true,
		"nope:\r\n\ttrue\r\n":               false,
		"load mod.so\n":                     false,
		"ifdef X\nnope: y\nendif\n":         false,
		"a: b\n\techo nope: here\n":         true,
		"nope: private X = 1\n":             false,
		"unexport X\nexport\n":              true,
		"undefine X\n":                      true,
		"ifneq (,$(findstring a:b,$(X)))\n": true,
		"endif\n":                           true,
	} {
		_, got := plan.MissingTarget(tree("Makefile", makefile), plan.Part{Argv: []string{"make", "nope"}})
		assert.Equal(t, missing, got, "%q", makefile)
	}
}

func TestMakefileOrder(t *testing.T) {
	fsys := tree("GNUmakefile", "one:\n", "makefile", "two:\n", "Makefile", "three:\n")
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		_, one := plan.MissingTarget(fsys, partOf(t, "make one"))
		_, two := plan.MissingTarget(fsys, partOf(t, "make two"))
		_, three := plan.MissingTarget(fsys, partOf(t, "make three"))
		assert.Equal(t, []bool{name != "GNUmakefile", name != "makefile", name != "Makefile"}, []bool{one, two, three})
		delete(fsys, name)
	}
	_, missing := plan.MissingTarget(fsys, partOf(t, "make one"))
	assert.False(t, missing, "without a makefile nobody can tell")
	_, missing = plan.MissingTarget(nil, partOf(t, "make one"))
	assert.False(t, missing, "nor without a tree")
}

func TestMissingScript(t *testing.T) {
	fsys := tree("package.json", `{"scripts": {"build": "tsc", "lint:fix": "eslint"}}`, "tested/package.json", `{"scripts": {"test": "jest"}}`,
		"bare/package.json", `{}`, "broken/package.json", `{`, "odd/package.json", `{"scripts": []}`,
		"composer.json", `{"scripts": {"check": ["a", "b"]}}`, "node_modules/.bin/jest", "", "server.js", "", "tool.ts", "")
	assertMissing(t, fsys, map[string]string{
		"npm run nope": "nope", "npm run-script nope": "nope", "pnpm run nope": "nope", "yarn run nope": "nope", "bun run nope": "nope", "npm test": "test", "npm t": "test",
		"npm tst": "test", "pnpm test": "test", "pnpm t": "test", "yarn test": "test", "npm run test": "test", "npm run -s nope": "nope", "npm --silent run nope": "nope",
		"npm run nope -- --watch": "nope", "npm run nope x": "nope", "CI=1 npm run nope": "nope", "cd bare && npm run build": "build", "npm run jest": "jest",
		"npm run lint": "lint", "npm test -- --watch": "test", "npm -s test": "test", "yarn t": "test", "composer run nope -- x": "nope", "composer run-script nope": "nope", "composer run nope": "nope", "composer run -s nope": "nope",
		// there, or nobody can tell
		"npm run build": "", "pnpm run lint:fix": "", "cd tested && npm test": "", "cd tested && npm t": "", "npm run": "", "npm": "", "npm install": "", "npm ci": "", "bun test": "",
		"npm run --if-present nope": "", "npm -w a run nope": "", "npm run nope --watch": "", "pnpm -r run nope": "", "npm --prefix x run nope": "", "yarn nope": "", "pnpm nope": "",
		"cd broken && npm run nope": "", "cd odd && npm run nope": "", "cd none && npm run nope": "", "npm run env": "", "npm run start": "", "yarn run jest": "", "pnpm run jest": "",
		"bun run tool.ts": "", "bun run ./x.ts": "", "composer run check": "", "composer check": "", "composer run --dev nope": "", "composer install": "", "composer run": "",
		"npx nope": "", "deno run nope": "", "npm exec nope": "",
	})
}

// FuzzMissingTarget holds that a target which stands in a rule by itself is never
// missing, whatever else the makefile holds.
func FuzzMissingTarget(f *testing.F) {
	f.Add(sampleMakefile, "nope")
	f.Add("a: \\\n b\n", "b")
	f.Fuzz(func(t *testing.T, makefile, target string) {
		p := plan.Part{Argv: []string{"make", target}}
		plan.MissingTarget(tree("Makefile", makefile), p)
		if partName(target) {
			_, missing := plan.MissingTarget(tree("Makefile", makefile+"\n\n"+target+":\n\ttrue\n"), p)
			assert.False(t, missing)
		}
	})
}

// partName reports whether a target is a plain word.
func partName(s string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return s != "" && s[0] != '-'
}
