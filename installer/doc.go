// Package installer performs the steps by which most recipes install a released
// program: download an archive, verify its SHA-256, unpack it, and put its programs
// where they are found. It is what [mend.LocalOptions] and [mend.ContainerOptions]
// take:
//
//	in := installer.New(nil)
//	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: in.Install})
//
// The steps are those of existing recipes. Their parameters may hold {version}, {os}
// and {arch}, and a step may have a "when" with os, arch and libc.
//
//	download          url, checksum or checksum_url, dest
//	extract           archive, format, strip_dirs, files
//	download_archive  the same as both and install_binaries
//	chmod             files, mode
//	install_binaries  binaries or outputs
//
// What is downloaded and unpacked is not trusted. Nothing is written or linked outside
// of the install, whatever an archive holds; no file gets more than the ordinary
// permissions; and [Limits] bound what an archive unpacks to.
//
// An install that fails for what the recipe or the server says, a file that is not
// there, another checksum, an archive that is none, is a *[mend.InstallError], which
// is evidence and can be repaired. A network that is down, a server in trouble, a full
// disk is any other error, after some attempts.
package installer
