package mend

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// box is one container, in which programs run one after the other.
type box struct {
	*boxPlan
	name string
	used bool // a program was run in it
}

// boxPlan is what the containers of one install have in common. It does not change
// while programs run.
type boxPlan struct {
	engine  engine
	image   *image
	options []string // of the engine's run, without those that differ from box to box
	path    string   // where programs are looked for
	env     []string // what the image sets, without PATH
	user    string   // the user's name
	keep    []string // what stays in the places for temporary files: see supervision
}

// tempDirs are the directories that programs can write to beside room, as they can
// everywhere. The engine makes /dev/shm.
var tempDirs = []string{"/tmp", "/var/tmp"}

// systemDirs can have no directory of the host in them, or above them, and
// imageDirs cannot be one: the image would be without its own.
var (
	systemDirs = []string{"/proc", "/sys", "/dev", room}
	imageDirs  = []string{"/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"}
)

// canShow reports whether a directory of the host can be shown in a container under
// its own name. The characters are those that engines take for their own.
func canShow(dir string) bool {
	return filepath.IsAbs(dir) && utf8.ValidString(dir) && !strings.ContainsAny(dir, "\",:\n") && !slices.Contains(imageDirs, dir) &&
		!slices.ContainsFunc(systemDirs, func(d string) bool { return within(dir, d) || within(d, dir) })
}

// newBoxPlan says how to start containers that show the installed directory and the
// files of the place.
func newBoxPlan(e engine, img *image, o *ContainerOptions, p *place, installed string) (*boxPlan, error) {
	e.dir = p.root
	user, err := parseContainerUser(o.User)
	if err != nil {
		return nil, err
	}
	plan := &boxPlan{engine: e, image: img, user: user.name, env: img.env}
	plan.path = strings.Join(append(programDirs(installed), img.path), ":")
	plan.options = []string{
		"--pull=never", "--no-healthcheck", "--log-driver=none", "--stop-timeout=0",
		"--hostname=sandbox", "--network=none", "--ipc=private", "--shm-size=" + strconv.Itoa(spareSize),
		"--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--user=" + user.ids(), "--workdir=/",
	}
	if e.podman {
		plan.options = append(plan.options, "--read-only-tmpfs=false", "--image-volume=ignore", "--http-proxy=false")
	} else {
		for _, volume := range img.volumes { // Docker would let programs write to them, and keep what they wrote
			plan.options = append(plan.options, "--tmpfs="+volume+":ro,size=4096")
		}
	}
	plan.limit(o)
	plan.tmpfs(room, roomSize)
	for _, dir := range tempDirs {
		plan.tmpfs(dir, spareSize)
	}
	for _, file := range []struct{ name, content string }{
		{"passwd", fmt.Sprintf("root:x:0:0:root:/root:/bin/sh\n%s:x:%s:%s:%s/home:/bin/sh\n", user.name, user.ids(), user.name, room)},
		{"group", fmt.Sprintf("root:x:0:\n%s:x:%d:\n", user.group, user.gid)},
	} {
		if err := p.write(file.name, file.content); err != nil {
			return nil, err
		}
		plan.bind(filepath.Join(p.root, file.name), "/etc/"+file.name, true)
	}
	return plan, plan.show(p, installed)
}

// limit bounds what a container may use up.
func (p *boxPlan) limit(o *ContainerOptions) {
	if o.Memory > 0 {
		size := strconv.FormatInt(o.Memory, 10)
		p.options = append(p.options, "--memory="+size, "--memory-swap="+size) // both together: no swap
	}
	if o.PIDs > 0 {
		p.options = append(p.options, "--pids-limit="+strconv.Itoa(o.PIDs))
	}
	if o.CPUs > 0 {
		p.options = append(p.options, "--cpus="+strconv.FormatFloat(o.CPUs, 'f', -1, 64))
	}
}

// tmpfs has a directory that is fresh memory.
func (p *boxPlan) tmpfs(dir string, size int) {
	option := fmt.Sprintf("--tmpfs=%s:rw,exec,nosuid,nodev,mode=1777,size=%d", dir, size)
	if p.engine.podman {
		option += ",notmpcopyup" // it would copy what the image has there
	}
	p.options = append(p.options, option)
}

// bind shows a file or directory of the host. Only what is our own may be relabelled,
// where labels decide who may read it.
func (p *boxPlan) bind(from, to string, own bool) {
	option := fmt.Sprintf("--mount=type=bind,source=%s,target=%s,readonly", from, to)
	if own && p.engine.podman {
		option += ",relabel=shared"
	}
	p.options = append(p.options, option)
}

// show shows the installed directory under its own name, and under its real one.
func (p *boxPlan) show(at *place, installed string) error {
	if installed == "" {
		return nil
	}
	real, err := filepath.EvalSymlinks(installed)
	if err != nil {
		return err
	}
	dirs := []string{real}
	if name := filepath.Clean(installed); name != real {
		dirs = append(dirs, name)
	}
	for _, dir := range dirs {
		if !canShow(dir) {
			return fmt.Errorf("%q cannot be shown in a container", dir)
		}
		p.bind(real, dir, within(real, at.root))
		for _, temp := range tempDirs {
			if rest, ok := strings.CutPrefix(dir, temp+"/"); ok {
				top, _, _ := strings.Cut(rest, "/")
				p.keep = append(p.keep, temp+"/"+top)
			}
		}
	}
	return nil
}

// containerUser is whom programs run as.
type containerUser struct {
	uid, gid    uint32
	name, group string
}

func (u containerUser) ids() string { return fmt.Sprintf("%d:%d", u.uid, u.gid) }

// parseContainerUser reads uid or uid:gid; "" is nobody.
func parseContainerUser(text string) (containerUser, error) {
	if text == "" {
		return containerUser{nobody, nobody, "nobody", "nogroup"}, nil
	}
	first, second, both := strings.Cut(text, ":")
	if !both {
		second = first
	}
	uid, err := strconv.ParseUint(first, 10, 32)
	gid, gidErr := strconv.ParseUint(second, 10, 32)
	if err != nil || gidErr != nil || uid == 0 || uid == math.MaxUint32 || gid == math.MaxUint32 {
		return containerUser{}, fmt.Errorf("%q is no user for programs in a container: it has to be a uid other than 0, or uid:gid", text)
	}
	return containerUser{uint32(uid), uint32(gid), "sandbox", "sandbox"}, nil
}

// startGrace is how long a container may still take to start when ctx has ended. A
// client that is ended sooner may leave its engine to go on, and nothing to remove yet.
const startGrace = 10 * time.Second

// start starts a container. One that fails to start leaves nothing behind.
func (p *boxPlan) start(ctx context.Context) (*box, error) {
	b := &box{boxPlan: p, name: "mend-" + strings.ToLower(rand.Text())}
	args := slices.Concat([]string{"run", "--detach", "--rm", "--name=" + b.name, "--label=" + ownerLabel + "=" + thisOwner().String()},
		p.options, []string{"--entrypoint=env", p.image.id, "-i", "PATH=" + p.supervisorPath(), "/bin/sh", "-c", firstProcess})
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(startGrace, cancel) })()
	_, err := p.engine.call(patient, args...)
	if ctx.Err() != nil {
		err = contextError(ctx)
	}
	if err != nil {
		return nil, joinRemoval(err, b.remove(ctx))
	}
	return b, nil
}

// firstProcess is what a container's first process does: nothing, for as long as it
// may live. Signals from inside cannot end it.
var firstProcess = fmt.Sprintf("exec sleep %d", int(containerLife.Seconds()))

// supervisorPath is where the programs are found that the supervisor takes.
func (p *boxPlan) supervisorPath() string {
	return p.image.path + ":" + strings.Join(systemPath, ":")
}

// remove ends everything in the box and removes it, whether or not ctx has ended, and
// the place is still there.
func (b *box) remove(ctx context.Context) error {
	anywhere := b.engine
	anywhere.dir = ""
	return anywhere.remove(context.WithoutCancel(ctx), b.name)
}

// joinRemoval adds to an error that what it left could not be removed either.
func joinRemoval(err, removal error) error {
	if removal == nil {
		return err
	}
	return fmt.Errorf("%w; and then %w", err, removal)
}
