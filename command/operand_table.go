package command

// systemDirs are directories that belong to the system as they are; what lies
// below them is another matter. The directories for temporary files belong here
// too: to empty one takes away what others are using.
var systemDirs = wordSet(`/etc /usr /usr/local /bin /sbin /lib /lib32 /lib64 /libx32 /boot /dev /proc /sys /run /var /var/lib
	/home /opt /srv /mnt /media /Users /System /Library /Applications /private /private/var /Volumes
	/tmp /var/tmp /private/tmp /private/var/tmp /dev/shm`)

// tempDirs are those of them that everybody may write to.
var tempDirs = wordSet("/tmp /var/tmp /private/tmp /private/var/tmp /dev/shm")

// systemTrees are directories in which all files are the system's.
var systemTrees = []string{
	"/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot", "/proc", "/sys", "/usr", "/System", "/private/etc",
}

// localTree is the part of /usr that is the administrator's.
const localTree = "/usr/local"

// devicePrefixes are names of disks in /dev, to which the letter of the disk is
// added, and perhaps the number of a part.
var devicePrefixes = []string{"sd", "hd", "vd", "xvd"}

// numberedDevices are names of disks in /dev, to which numbers are added.
var numberedDevices = []string{"nvme", "mmcblk", "disk", "rdisk", "dm-", "md", "nbd", "loop", "zram", "sr"}

// deviceDirs are directories in /dev that hold other names of disks.
var deviceDirs = []string{"mapper/", "disk/"}

// startupFiles are read by shells when they start, by their names in a home
// directory.
var startupFiles = wordSet(`.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
	.kshrc .mkshrc .cshrc .tcshrc .login .logout .config/fish/config.fish`)

// homeTrees are directories in a home whose files decide what runs, or who may
// come in.
var homeTrees = []string{".ssh", ".config/autostart"}
