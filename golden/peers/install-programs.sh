#!/usr/bin/env bash
# Installs the servers of programs.txt into the folder that is the argument: each
# as <folder>/<name>. What stands there at the same version is left alone.
set -euo pipefail
dir=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
while read -r name package; do
	case $name in "" | "#"*) continue ;; esac
	if [ "$(cat "$dir/$name.version" 2>/dev/null)" = "$package" ] && [ -x "$dir/$name" ]; then
		continue
	fi
	echo "installing $name: $package"
	# Outside of this module: it does not decide the versions of what others build from.
	(cd "$temp" && GOFLAGS='' GOBIN="$temp/$name" go install "$package") </dev/null
	mv "$temp/$name"/* "$dir/$name"
	echo "$package" >"$dir/$name.version"
done <programs.txt
