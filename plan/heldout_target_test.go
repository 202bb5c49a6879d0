package plan_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestHeldoutMissingTarget(t *testing.T) {
	const mk = "build test: dep\n\techo x\n.PHONY: lint deploy\n%.pdf: %.tex\n\tx\nVER = 1\nA := b:c\nd::\n\ty\n"
	const pkg = `{"scripts": {"lint": "x", "test": "y", "a:b": "z"}}`
	files := map[string]string{
		"Makefile": mk, "package.json": pkg, "README.md": "x", "src/a.c": "x",
		"first/GNUmakefile": "one:\n", "first/makefile": "two:\n", "first/Makefile": "three:\n",
		"second/makefile": "two:\n", "second/Makefile": "three:\n",
		"inc/Makefile": "include x.mk\n", "sinc/Makefile": "-include x.mk\n", "def/Makefile": "define x\nendef\n", "dflt/Makefile": ".DEFAULT:\n\tx\n", "var/Makefile": "$(T): x\n",
		"notest/package.json": `{"scripts": {"lint": "x"}}`, "noscripts/package.json": `{"name": "x"}`, "broken/package.json": `{`,
		"php/composer.json": `{"scripts": {"lint": "x", "all": ["@lint"]}}`, "recipevar/Makefile": "a:\n\techo $(X): y\n",
	}
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for line, want := range map[string]string{
		"make build": "", "make test": "", "make nope": "nope", "gmake nope": "nope", "make": "", "make build nope": "nope", "make nope build": "nope",
		"make lint": "", "make deploy": "", "make dep": "dep", "make a.pdf": "", "make README.md": "", "make src/a.c": "", "make src/a.o": "", "make x.o": "",
		"make d": "", "make VER=2 build": "", "make nope=1": "", "make -k build": "", "make -k nope": "nope", "make -j 4 build": "", "make -j 4 nope": "nope", "make -j4 nope": "nope",
		"make -l 2 build": "", "make -o nope build": "", "make -W nope build": "", "make -f x.mk nope": "", "make -C sub nope": "", "make -I d nope": "", "make --file=x nope": "",
		"A=1 make nope": "nope", "make -s nope": "nope", "make --keep-going nope": "nope",
		"cd first && make one": "", "cd first && make two": "two", "cd second && make two": "", "cd second && make three": "three", "cd src && make nope": "",
		"cd inc && make nope": "", "cd sinc && make nope": "", "cd def && make nope": "", "cd dflt && make nope": "", "cd var && make nope": "", "cd recipevar && make nope": "nope",
		"npm run lint": "", "npm run nope": "nope", "pnpm run nope": "nope", "yarn run nope": "nope", "bun run nope": "nope", "npm test": "", "npm t": "",
		"cd notest && npm test": "test", "cd notest && npm t": "test", "cd notest && yarn test": "test", "cd notest && pnpm test": "test", "cd notest && bun test": "",
		"cd noscripts && npm run lint": "lint", "cd broken && npm run lint": "", "cd src && npm run lint": "", "npm run -s nope": "nope", "npm run --silent nope": "nope", "npm --silent run nope": "nope",
		"npm -s test": "", "npm --prefix x run nope": "", "npm -w a run nope": "", "npm run nope --if-present": "", "npm run a:b": "", "npm install": "", "npm run": "", "npm run nope -- x": "nope",
		"npx nope": "", "cd php && composer run-script nope": "nope", "cd php && composer run nope": "nope", "cd php && composer run lint": "", "cd php && composer run-script all": "", "cd php && composer nope": "",
		"composer run nope": "", "just nope": "", "echo nope": "", "ninja nope": "",
	} {
		t.Run(line, func(t *testing.T) {
			parts, err := plan.Split(line)
			require.NoError(t, err)
			name, missing := plan.MissingTarget(tree, parts[len(parts)-1])
			assert.Equal(t, want != "", missing)
			if missing {
				assert.Equal(t, want, name)
			}
		})
	}
	t.Run("no tree", func(t *testing.T) {
		_, missing := plan.MissingTarget(nil, part("", "make", "nope"))
		assert.False(t, missing)
	})
}
