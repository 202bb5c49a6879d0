package main

import (
	"os"
	"path"

	"github.com/BurntSushi/toml"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// source is a recipe as a file holds it.
type source struct {
	path    string // as it was given
	data    []byte
	recipe  *mend.Recipe
	tool    string // that its check runs; else the recipe's name
	version string // that is installed; "" if nobody says
}

// load reads a recipe. The source is not nil if there is an error, and has what could
// be learned until then.
func load(file string, known versions) (*source, error) {
	s := &source{path: file}
	var err error
	if s.data, err = os.ReadFile(file); err != nil {
		return s, err
	}
	return s, s.parse(known)
}

func (s *source) parse(known versions) error {
	var err error
	if s.recipe, err = mend.ParseRecipe(s.data); err != nil {
		return err
	}
	s.tool = toolOf(s.recipe)
	s.version = known.of(s.recipe, statedVersion(s.data))
	return nil
}

func toolOf(r *mend.Recipe) string {
	if r.Verify != nil {
		if words, err := command.Split(r.Verify.Command); err == nil {
			return path.Base(words[0])
		}
	}
	return r.Metadata.Name
}

// statedVersion returns the version that a recipe is for, if it is for one. The
// library keeps the key, and leaves what it means to its callers.
func statedVersion(data []byte) string {
	var doc struct {
		Metadata struct {
			Version any `toml:"version"`
		} `toml:"metadata"`
	}
	_, _ = toml.Decode(string(data), &doc) // the recipe was parsed before; what is no text is no version
	v, _ := doc.Metadata.Version.(string)
	return v
}
