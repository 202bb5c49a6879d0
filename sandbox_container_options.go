package mend

import (
	"cmp"
	"slices"
	"time"
)

// ContainerOptions configures a [ContainerSandbox]. The zero value of each field is
// its default.
type ContainerOptions struct {
	// Engine is the engine's client and its global arguments, such as --root for Podman
	// or --context for Docker. nil means podman, or docker if that does not work. The
	// client gets this process's environment; programs do not.
	Engine []string

	// Image names the image; "" means debian:stable-slim. It has to
	// be there. What it sets in its programs' environment stays.
	Image string

	// Installer performs the recipes' steps. nil means that tools are in the image
	// already. Installed is then zero. What it installed is shown to programs under the
	// same path as here, and has to be for the image's system.
	Installer Installer

	// Dir is the directory in which installs are kept until they are closed; "" is the
	// default one for temporary files. The engine has to be able to show it.
	Dir string

	// User is whom programs run as, a uid or uid:gid, as numbers. "" means nobody,
	// 65534:65534. It is never root.
	User string

	// Memory is how many bytes programs may use, files in memory among them; 0 means
	// 1 GiB. A negative value sets no limit, for engines that cannot.
	Memory int64

	// PIDs is how many processes and threads there may be; 0 means 512. A negative
	// value sets no limit.
	PIDs int

	// CPUs is how many processors' time programs may take; 0 means no limit.
	CPUs float64

	// Timeout is how long a program may run whose [Command] does not say; 0 means
	// 5 seconds. The start of a container does not count.
	Timeout time.Duration

	// OutputLimit is how many bytes of each stream are kept, half of them the first
	// ones and half the last; 0 means 262,144.
	OutputLimit int
}

const (
	defaultImage  = "debian:stable-slim"
	defaultMemory = 1 << 30
	defaultPIDs   = 512
)

// withDefaults returns the options with their defaults filled in; nil options are
// all defaults.
func (o *ContainerOptions) withDefaults() ContainerOptions {
	var full ContainerOptions
	if o != nil {
		full = *o
	}
	full.Engine = slices.Clone(full.Engine)
	full.Image = cmp.Or(full.Image, defaultImage)
	full.Memory = cmp.Or(full.Memory, defaultMemory)
	full.PIDs = cmp.Or(full.PIDs, defaultPIDs)
	if full.Timeout <= 0 {
		full.Timeout = defaultTimeout
	}
	if full.OutputLimit <= 0 {
		full.OutputLimit = defaultOutputLimit
	}
	return full
}
