package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// base is the tree before the change, by path.
var base = map[string]string{
	"go.mod": "module example.org/shop\n\ngo 1.21\n",
	"main.go": `package main

import (
	"fmt"

	"example.org/shop/price"
)

func main() { fmt.Println(price.Total(3, 250)) }
`,
	"price/price.go": rightPrice,
	"price/price_test.go": `package price

import "testing"

func TestTotal(t *testing.T) {
	if got := Total(3, 250); got != 750 {
		t.Errorf("Total(3, 250) = %d, want 750", got)
	}
}
`,
	"package.json":     `{"name": "shop", "private": true, "scripts": {"check": "node --test web/"}}` + "\n",
	"web/cart.js":      "exports.count = (cart) => cart.length;\n",
	"web/cart.test.js": cartTest,
	"Makefile": `.PHONY: build clean
build:
	go build -o build/shop .
clean:
	rm -rf build
`,
	".gitignore": "build/\n",
	".opentiger/verify.contract.json": `{
  "commands": ["go vet ./..."],
  "rules": [
    {"whenChangedAny": ["price/**"], "commands": ["go test ./price"]},
    {"whenChangedAny": ["web/**"], "commands": ["node --test web/"]}
  ]
}
`,
}

const (
	rightPrice = `// Package price adds up.
package price

// Total returns the price of n things, in cents.
func Total(n, each int) int { return n * each }
`
	// wrongPrice is the change: it should have made a discount possible.
	wrongPrice = `// Package price adds up.
package price

// Total returns the price of n things, in cents.
func Total(n, each int) int { return n*each - discount(n) }

func discount(n int) int { return n }
`
	// mendedPrice is what the scripted model makes of it.
	mendedPrice = `// Package price adds up.
package price

// Total returns the price of n things, in cents.
func Total(n, each int) int { return n*each - discount(n) }

// discount returns what is taken off, which is nothing below ten.
func discount(n int) int {
	if n < 10 {
		return 0
	}
	return n
}
`
	cartTest = `const test = require('node:test');
const assert = require('node:assert');
const { count } = require('./cart.js');

test('counts', () => assert.strictEqual(count(['a', 'b']), 2));
`
	changedCart = "exports.count = (cart) => (cart || []).length;\n"
)

// makeTree writes the base into a directory, commits it, and makes the change. It
// returns the paths that changed.
func makeTree(ctx context.Context, dir string) ([]string, error) {
	for name, content := range base {
		if err := writeFile(dir, name, content); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=example", "-c", "user.email=example@example.org", "commit", "-q", "--no-gpg-sign", "-m", "The shop"},
	} {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	if err := writeFile(dir, "price/price.go", wrongPrice); err != nil {
		return nil, err
	}
	return []string{"price/price.go", "web/cart.js"}, writeFile(dir, "web/cart.js", changedCart)
}

func writeFile(dir, name, content string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}
