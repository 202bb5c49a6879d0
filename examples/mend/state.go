package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// state is the memory of a batch, a file to which a line of JSON is appended for each
// recipe that is finished. A process that is killed loses at most the line that it was
// writing, and the recipes that were under way. The first line says what the batch was
// asked for. Only one goroutine may use it.
type state struct {
	file      *os.File
	end       int64
	done      map[string]entry // by key, finished in this or an earlier run
	earlier   int              // how many of them an earlier run left
	written   time.Time        // when it did
	temporary bool
}

// entry is where a finished recipe stands in the file.
type entry struct {
	offset int64
	size   int
}

// line is what the file holds for one recipe.
type line struct {
	Key        string      `json:"key"`
	Result     *result     `json:"result"`
	Transcript *transcript `json:"transcript,omitempty"`
}

// terms is what results depend on beside the recipes. Under other terms, earlier
// results say nothing.
type terms struct {
	Format  int           `json:"mend_state"` // 1
	Program string        `json:"program"`
	Sandbox string        `json:"sandbox"`
	Timeout time.Duration `json:"timeout_ns"`
	Floor   string        `json:"floor"`
	Write   bool          `json:"write"`
	Install bool          `json:"install,omitempty"`
}

// errOtherTerms and errNoState report why a file is not taken for this batch's state.
var (
	errOtherTerms = errors.New("it is the state of a batch with other flags; --fresh begins anew")
	errNoState    = errors.New("it is not the state of a batch")
	errInUse      = errors.New("another batch uses it")
)

// key identifies a recipe, its version and where it stands.
func key(path, version string, data []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %d\n", path, version, len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// statePath returns where the state of a batch is kept of which nobody says where: in
// the user's cache, under a name that the same command in the same directory finds.
func statePath(args []string, t terms) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %+v", dir, args, t)
	cache = filepath.Join(cache, "mend")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	return filepath.Join(cache, "batch-"+hex.EncodeToString(h.Sum(nil)[:8])+".jsonl"), nil
}

// openState opens a batch's state, or begins one. "" is one that nobody finds again.
// It is an error if another process has it open.
func openState(path string, t terms, fresh bool) (*state, error) {
	s := &state{done: make(map[string]entry), temporary: path == ""}
	var err error
	if s.temporary {
		if s.file, err = os.CreateTemp("", "mend-batch-*.jsonl"); err == nil {
			_ = os.Remove(s.file.Name()) // so that it ends with the process; where it cannot be yet, close does it
		}
	} else {
		s.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if err = s.begin(t, fresh); err != nil {
		_ = s.file.Close() // nothing was written
		return nil, fmt.Errorf("state %s: %w", s.file.Name(), err)
	}
	return s, nil
}

// begin reads what is there, and writes the first line if nothing is.
func (s *state) begin(t terms, fresh bool) error {
	if err := lock(s.file); err != nil {
		return err
	}
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.written = info.ModTime()
	if info.Size() > 0 && !fresh {
		if err := s.read(t); err != nil {
			return err
		}
	}
	s.earlier = len(s.done)
	if err := s.file.Truncate(s.end); err != nil { // of a line that was cut short
		return err
	}
	if s.end > 0 {
		return nil
	}
	_, err = s.append(t)
	return err
}

// read finds the recipes that were finished.
func (s *state) read(want terms) error {
	r := bufio.NewReader(s.file)
	first, err := r.ReadBytes('\n')
	if err == io.EOF {
		return cutShort(first)
	} else if err != nil {
		return err
	}
	var t terms
	switch {
	case json.Unmarshal(first, &t) != nil || t.Format == 0:
		return errNoState
	case t != want:
		return errOtherTerms
	}
	s.end = int64(len(first))
	for {
		text, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil || l.Result == nil {
			return fmt.Errorf("byte %d: %w", s.end, errNoState)
		}
		if l.Result.Outcome != noEvidence {
			s.done[l.Key] = entry{s.end, len(text)}
		}
		s.end += int64(len(text))
	}
}

// cutShort accepts what a batch leaves that was killed while it wrote the first line.
func cutShort(first []byte) error {
	const begins = `{"mend_state":`
	if n := min(len(first), len(begins)); string(first[:n]) != begins[:n] {
		return errNoState
	}
	return nil
}

// append writes a line.
func (s *state) append(v any) (entry, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return entry{}, err
	}
	text = append(text, '\n')
	at := entry{s.end, len(text)}
	if _, err := s.file.WriteAt(text, s.end); err != nil {
		return entry{}, err
	}
	s.end += int64(len(text))
	return at, nil
}

// add records a recipe. One of which nothing was learned is tried again next time.
func (s *state) add(l *line) (entry, error) {
	at, err := s.append(l)
	if err == nil && l.Result.Outcome != noEvidence {
		s.done[l.Key] = at
	}
	return at, err
}

// at returns the line of a recipe.
func (s *state) at(e entry) (*line, error) {
	text := make([]byte, e.size)
	if _, err := s.file.ReadAt(text, e.offset); err != nil {
		return nil, err
	}
	l := new(line)
	return l, json.Unmarshal(text, l)
}

// close lets go of the file, and removes it if it is of no further use.
func (s *state) close(remove bool) error {
	var err error
	if remove || s.temporary {
		if err = os.Remove(s.file.Name()); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return errors.Join(err, s.file.Close())
}
