package mend_test

import (
	"os"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/testpodman"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestContainerSandboxKeepsTheContract(t *testing.T) {
	p, dir := testpodman.New(t), t.TempDir()
	files := map[string]file{"bin/tool": {"#!/bin/sh\necho tool 1.2.3\n", 0o700}}
	s := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: p.Engine, Image: p.Image, Dir: dir, Installer: installer(files)})
	assert.NoError(t, mendtest.TestSandbox(t.Context(), s))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	out, err := p.Run("ps", "--all", "--quiet")
	require.NoError(t, err)
	assert.Empty(t, out)
}
