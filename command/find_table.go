package command

// findArguments says how many words each predicate of find takes; one that is
// missing takes none.
var findArguments = map[string]int{
	"-name": 1, "-iname": 1, "-path": 1, "-ipath": 1, "-wholename": 1, "-iwholename": 1, "-regex": 1, "-iregex": 1, "-lname": 1, "-ilname": 1,
	"-type": 1, "-xtype": 1, "-maxdepth": 1, "-mindepth": 1, "-depth": 0, "-size": 1, "-perm": 1, "-user": 1, "-group": 1, "-uid": 1, "-gid": 1,
	"-newer": 1, "-anewer": 1, "-cnewer": 1, "-mtime": 1, "-atime": 1, "-ctime": 1, "-mmin": 1, "-amin": 1, "-cmin": 1, "-used": 1,
	"-links": 1, "-inum": 1, "-samefile": 1, "-fstype": 1, "-context": 1, "-regextype": 1, "-printf": 1, "-fprint": 1, "-fprint0": 1, "-fls": 1,
	"-fprintf": 2, "-files0-from": 1, "-flags": 1, "-Bmin": 1, "-Btime": 1, "-Bnewer": 1,
}

// findNoTests are predicates that leave a whole tree a whole tree.
var findNoTests = wordSet(`-type -xtype -maxdepth -mindepth -depth -d -xdev -mount -x -follow -noleaf -daystart -warn -nowarn -ignore_readdir_race -regextype
	-print -print0 -printf -fprint -fprint0 -fprintf -fls -ls -true -o -or -a -and -not ! ( ) , -H -L -P`)

// findWriters are predicates whose first argument is a file that they write.
var findWriters = wordSet("-fprint -fprint0 -fprintf -fls")

// findStarters are predicates that start a program.
var findStarters = wordSet("-exec -execdir -ok -okdir")
