package mend_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLocalFreshlyWrittenProgramsStart installs and runs in parallel: a process
// being started elsewhere once had a copy of the file a program was written to,
// and the kernel then said "text file busy", in one run of 200 of plain processes.
func TestLocalFreshlyWrittenProgramsStart(t *testing.T) {
	program, err := os.ReadFile("/bin/true")
	require.NoError(t, err)
	write := func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
		f, err := os.OpenFile(filepath.Join(dir, "fresh"), os.O_CREATE|os.O_WRONLY, 0o755)
		if err != nil {
			return mend.Installed{}, err
		}
		for piece := range slices.Chunk(program, 512) {
			if _, err := f.Write(piece); err != nil {
				return mend.Installed{}, err
			}
		}
		return mend.Installed{}, f.Close()
	}
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		rounds := 5
		if level == mend.IsolationPlain {
			rounds = 60
		}
		s := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: level, Installer: write})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range rounds {
					env, err := s.Install(t.Context(), &mend.Recipe{})
					if !assert.NoError(t, err) {
						return
					}
					obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"fresh"}, Timeout: time.Minute})
					assert.NoError(t, err)
					assert.Zero(t, obs.ExitCode, obs.Stderr)
					assert.NoError(t, env.Close())
				}
			})
		}
		wg.Wait()
	})
}

// TestLocalProgramsOpenForWriting runs a program whose file another process has open
// for writing: for a moment, as may happen to any freshly written file, or for long.
func TestLocalProgramsOpenForWriting(t *testing.T) {
	for name, test := range map[string]struct{ holder, fails string }{
		"for a moment": {"sleep 0.1", ""},
		"for long":     {"sleep 60", "text file busy"},
	} {
		write := func(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
			installed, err := installer(map[string]file{"fresh": tool("echo fresh 1.0")})(ctx, r, dir)
			if err == nil {
				err = holdOpen(t, test.holder, filepath.Join(dir, "fresh"))
			}
			return installed, err
		}
		t.Run(name, func(t *testing.T) {
			eachLevel(t, func(t *testing.T, level mend.Isolation) {
				env := install(t, mend.LocalOptions{Isolation: level, Installer: write})
				obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"fresh"}, Timeout: time.Minute})
				if test.fails == "" {
					require.NoError(t, err)
					assert.Equal(t, "fresh 1.0\n", obs.Stdout, obs.Stderr)
					return
				}
				require.Error(t, err, "%+v", obs)
				assert.Contains(t, strings.ToLower(err.Error()), test.fails)
			})
		})
	}
}

// holdOpen has a process hold file open for writing until its command is over, or the
// test.
func holdOpen(t *testing.T, command, file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	holder := exec.Command("sh", "-c", "exec "+command)
	holder.Stdout = f
	if err := holder.Start(); err != nil {
		return err
	}
	t.Cleanup(func() {
		_ = holder.Process.Kill() // unless it has ended
		_ = holder.Wait()
	})
	return nil
}
