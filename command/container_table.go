package command

// containerGlobal is how docker and its like read what stands before the command.
var containerGlobal = grammar{
	values: "cHl", long: " --context --host --log-level --config --url --connection --identity --root --runroot --storage-driver --namespace --address --tlscacert --tlscert --tlskey ",
}

// containerOptions is how they read what stands before the image. There are so
// many options with a value that those without one are listed.
var containerOptions = grammar{
	values: "vepwuhlmca",
	flags: names(`--privileged --rm --detach --interactive --tty --init --no-healthcheck --oom-kill-disable --publish-all --quiet --read-only --sig-proxy
		--disable-content-trust --replace --no-hosts --http-proxy --env-host --latest --rmi --passwd --tls-verify --no-hostname --help`),
}

// containerCommands are those that make a container, or run something in one.
var containerCommands = wordSet("run create exec")

// hostShared are options that share something with the host if that is their value.
const hostShared = " --pid --ipc --userns --uts "

// hostCapabilities are capabilities with which a container is no border.
var hostCapabilities = wordSet("ALL SYS_ADMIN")

// hostSockets are sockets through which a container commands the host.
var hostSockets = wordSet("docker.sock podman.sock containerd.sock crio.sock")
