# What the demos of the examples share: a folder of its own that goes away, and
# commands that are shown before they run. It is sourced, by scripts that have set -eu.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

step() {
	printf '\n== %s\n' "$1"
}

# show prints a command as a user would type it, then runs it.
show() {
	printf '$ %s\n' "$*"
	"$@"
}

# fails runs a command that has to end with the given code.
fails() {
	want=$1
	shift
	printf '$ %s\n' "$*"
	code=0
	"$@" || code=$?
	if [ "$code" -ne "$want" ]; then
		echo "demo: exit code $code, want $want" >&2
		exit 1
	fi
	echo "(exit code $code)"
}
