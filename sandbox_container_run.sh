# Runs one program in a container, and tells how it ended.
#
#	sh -c SCRIPT sh NAME PATH COMMAND [KEEP]...
#
# NAME is the program's, PATH where to look for it, both as words of a shell, COMMAND
# what a shell has to do to become it, with the streams as file descriptors 4 and 5.
# KEEP is what stays in the places for temporary files: what leads to directories that
# are mounted there.
#
# A mark comes in on standard input. It goes out on both streams twice: before the
# program starts and, with how it ended, when nothing of it runs any more. Exit code
# 0 says that none of its files is left either; after any other, the container must
# not be used again.

IFS= read -r mark || exit 1 # whoever was to watch has gone
eval "name=${1# } path=${2# }"
command=$3 room=/sandbox
shift 3

say() { printf '%s %s\n' "$mark" "$1" && printf '%s %s\n' "$mark" "$1" >&2; }

# status prints how a shell's command ended, run by a witness: its exit code, or 256
# more than the number of the signal. A shell cannot tell a signal from an exit code.
status() { # WITNESS COMMAND
	case $1 in
	*awk) "$1" -- 'BEGIN { s = system(ARGV[1]); if (s > 512) s -= 256; print s }' "$2" ;;
	perl) perl -e '$s = system "/bin/sh", "-c", @ARGV; print $s & 127 ? 256 + ($s & 127) : $s >> 8' "$2" ;;
	python3) python3 -Ic 'import subprocess, sys
s = subprocess.call(["/bin/sh", "-c", sys.argv[1]], close_fds=False)
print(256 - s if s < 0 else s)' "$2" ;;
	*time) # its remark names the signal; an exit code is all on the last line
		remark=$($1 -f %x /bin/sh -c "$2" 2>&1)
		set -- $? "${remark##* signal }"
		case $remark in
		'') return "$1" ;;
		*' signal '*) echo $((256 + ${2%%[!0-9]*})) ;;
		*) echo "${remark##*[!0-9]}" ;;
		esac ;;
	esac
}

# check sets no to why the kernel would not start a file, as a shell says it, or to
# nothing. What is asked to start an empty file, or a web page, takes it for a
# script, and a broken install would pass for one that works.
check() { # FILE DEPTH
	no=
	if [ "$2" -gt 5 ]; then no='126 Too many levels of symbolic links'
	elif [ ! -e "$1" ]; then no='127 not found'
	elif [ -d "$1" ]; then no='126 Is a directory'
	elif [ ! -f "$1" ] || [ ! -x "$1" ]; then no='126 Permission denied'
	elif [ -r "$1" ] && command -v od >/dev/null; then
		# shellcheck disable=SC2046 # an argument for each byte
		set -- "$1" "$2" $(od -An -v -tu1 -N64 "$1")
		case "$3 $4 $5 $6" in
		'35 33 '*) check_script "$1" "$2" ;;
		'127 69 76 70') check_elf "$@" ;;
		*) no='126 Exec format error' ;;
		esac
	fi
}

check_script() { # FILE DEPTH
	set -- "$(head -c 256 "$1" 2>/dev/null | tr '\000' '\n' | head -n 1)" "$2"
	[ -n "$1" ] || return # there is no head
	set -- "${1#??}" "$2" "$(printf '\t')" "$(printf '\r')"
	set -- "${1#"${1%%[! "$3"]*}"}" "$2" "$3" "$4"
	set -- "${1%%[ "$3"]*}" "$2" "$4"
	if [ -z "$1" ]; then
		no='126 Exec format error'
		return
	fi
	check "$1" $(($2 + 1))
	case $1 in *"$3") set -- "${1%"$3"}^M" ;; esac
	refuse_interpreter 'bad interpreter' "$1"
}

# refuse_interpreter says in no that not the file, but its interpreter is refused.
refuse_interpreter() { # WHAT INTERPRETER
	case $no in
	'') ;;
	'127 not found') no="126 $2: $1: No such file or directory" ;;
	'126 Is a directory') no="126 $2: $1: Permission denied" ;;
	*) no="126 $2: $1: ${no#* }" ;;
	esac
}

# check_elf looks at what the kernel looks at: class, byte order, kind, processor, the
# program headers, and the loader. The system's own programs say which processor is
# the right one; two kinds run programs of their 32-bit family.
check_elf() { # FILE DEPTH BYTE...
	no='126 Exec format error'
	[ $# -ge 66 ] || return
	family=
	case "$7 ${21} ${22}" in
	'1 3 0') family='2 62 0' ;;
	'1 40 0') family='2 183 0' ;;
	esac
	own=$(own_elf)
	[ "$own" = "$7 ${21} ${22}" ] || [ "$own" = "$family" ] || [ -z "$own" ] || return
	case "$7 $8 ${19} ${20}" in
	'1 1 2 0' | '1 1 3 0') set -- "$1" "$2" 32 5 17 $((${31} + 256 * ${32} + 65536 * ${33})) $((${45} + 256 * ${46})) $((${47} + 256 * ${48})) ;;
	'2 1 2 0' | '2 1 3 0') set -- "$1" "$2" 56 9 33 $((${35} + 256 * ${36} + 65536 * ${37})) $((${57} + 256 * ${58})) $((${59} + 256 * ${60})) ;;
	*) return ;;
	esac
	# Now they are the size of a header, where in it are offset and size of what it
	# describes, and what the file says: where the headers are, their size, how many.
	[ "$3" = "$7" ] && [ "$8" -gt 0 ] && [ "$(wc -c <"$1")" -ge $(($6 + $7 * $8)) ] || return
	no=
	[ "$8" -le 100 ] || return
	# shellcheck disable=SC2046 # an argument for each byte
	loader=$(find_loader "$1" "$3" "$4" "$5" $(od -An -v -tu1 -j "$6" -N $(($7 * $8)) "$1"))
	[ -n "$loader" ] || return
	check "$loader" "$2"
	refuse_interpreter 'bad ELF interpreter' "$loader"
}

# find_loader prints the path of the loader that the program headers name.
find_loader() { # FILE SIZE OFFSET-AT SIZE-AT BYTE...
	file=$1 size=$2 offset=$3 length=$4
	shift 4
	while [ $# -ge "$size" ]; do
		if [ "$1 $2" = '3 0' ]; then
			shift $((offset - 1))
			at=$(($1 + 256 * $2 + 65536 * $3))
			shift $((length - offset))
			tail -c +$((at + 1)) "$file" | head -c $(($1 + 256 * $2)) | tr -d '\000'
			return
		fi
		shift "$size"
	done 2>/dev/null
}

own_elf() {
	# shellcheck disable=SC2046 # an argument for each byte
	set -- $(od -An -v -tu1 -N20 /proc/self/exe 2>/dev/null)
	[ $# -lt 20 ] || echo "$5 ${19} ${20}"
}

# locate sets no to why the program cannot be started, or to nothing.
locate() {
	case $name in
	*/*)
		check "$name" 0
		return
		;;
	esac
	verdict='127 not found'
	set -f
	IFS=:
	# shellcheck disable=SC2086 # an argument for each directory
	set -- $path
	unset IFS
	set +f
	for dir; do
		case $dir in /*) ;; *) continue ;; esac
		check "$dir/$name" 0
		case $no in
		'127 not found' | '126 Is a directory') ;;
		'126 Permission denied') verdict=$no ;; # a later one may be permitted
		*) return ;;
		esac
	done
	no=$verdict
}

# alone reports whether nothing runs but this shell and the container's first process,
# and sets zombies to how many that one has: it waits for none.
alone() {
	zombies=0
	for process in /proc/[0-9]*; do
		case $process in /proc/1 | "/proc/$$") continue ;; esac
		{ IFS= read -r stat <"$process/stat"; } 2>/dev/null || continue # it has gone
		case ${stat##*)} in ' Z'* | ' X'*) zombies=$((zombies + 1)) ;; *) return 1 ;; esac
	done
}

# end kills what runs, and reports whether it has gone.
end() {
	rounds=0
	while kill -s KILL -- -1 2>/dev/null; ! alone; do
		rounds=$((rounds + 1))
		[ "$rounds" -lt 300 ] || return 1
		sleep 0.01 2>/dev/null || sleep 1
	done
}

# clean removes what was left in the places that can be written, and reports whether
# nothing is left.
clean() { # KEEP...
	for place in "$room" /tmp /var/tmp /dev/shm /dev/mqueue; do
		for file in "$place"/* "$place"/.[!.]* "$place"/..?*; do
			for kept; do [ "$file" != "$kept" ] || continue 2; done
			there "$file" && ! rm -rf -- "$file" && chmod -R u+rwx "$file" && rm -rf -- "$file"
			! there "$file" || return 1
		done 2>/dev/null
	done
	for kind in msg sem shm; do # a line of headings, and one for each that was left
		! { read -r _ && read -r _; } 2>/dev/null <"/proc/sysvipc/$kind" || return 1
	done
}

there() { [ -e "$1" ] || [ -L "$1" ]; }

for witness in awk gawk mawk original-awk perl python3 time 'busybox time' ''; do
	command -v "${witness%% *}" && [ "$(status "$witness" 'kill -s TERM $$')" = 271 ] && break
done >/dev/null 2>&1
if [ -z "$witness" ]; then
	echo 'the image has nothing that tells a signal from an exit code: awk (other than that of BusyBox), perl, python3 or time' >&2
	exit 1
fi
mkdir -m 700 "$room/home" "$room/tmp" "$room/work" && cd "$room/work" || exit 1
locate
exec 4>&1 5>&2
say start
if [ -n "$no" ]; then
	printf '%s: %s\n' "$name" "${no#* }" >&2
	ended=${no%% *}
else
	ended=$(status "$witness" "$command")
	killed=$?
	[ -n "$ended" ] || ended=$((killed + 128)) # the program killed its witness
fi
end
over=$?
if [ "$ended" -gt 256 ]; then
	say "signal $(kill -l $((ended - 256)))"
else
	say "exit $ended"
fi
[ "$over" = 0 ] && [ "$zombies" = 0 ] && clean "$@"
