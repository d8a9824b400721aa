#!/bin/sh
# Installs mcpgen: downloads the archive of this platform, compares it with the checksums of
# the release, and writes the binary.
#
#   curl -fsSL https://github.com/mcpgen/mcpgen/releases/latest/download/install.sh | sh
#
# MCPGEN_VERSION is a tag such as v0.1.0; the default is the latest release. MCPGEN_DIR is
# the folder of the binary; the default is ~/.local/bin. MCPGEN_URL is the folder that the
# files are downloaded from, such as a mirror's.
set -eu

fail() {
	echo "error: install: $1" >&2
	echo "help: $2" >&2
	exit 1
}

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) fail "there is no archive for $(uname -s)" "go install github.com/mcpgen/mcpgen/cmd/mcpgen@latest; Windows: npm install @mcpgen/mcpgen" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no archive for $(uname -m)" "go install github.com/mcpgen/mcpgen/cmd/mcpgen@latest" ;;
esac

archive=mcpgen_${os}_$arch.tar.gz
releases=https://github.com/mcpgen/mcpgen/releases
url=${MCPGEN_URL:-$releases/${MCPGEN_VERSION:+download/$MCPGEN_VERSION}}
case $url in */releases/) url=${url}latest/download ;; esac
folder=${MCPGEN_DIR:-$HOME/.local/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in checksums.txt "$archive"; do
	curl -fsSL --retry 3 -o "$work/$file" "$url/$file" ||
		fail "$url/$file cannot be downloaded" "check MCPGEN_VERSION and the network, or name a mirror with MCPGEN_URL"
done
cd "$work"
grep "  $archive\$" checksums.txt >expected || fail "checksums.txt does not name $archive" "choose another MCPGEN_VERSION"
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum="shasum -a 256"; fi
$sum -c expected >/dev/null 2>&1 ||
	fail "$archive does not have the checksum of the release; nothing was installed" "download again; if it stays so, report it"

tar -xzf "$archive" ./mcpgen
mkdir -p "$folder"
# A rename replaces a binary that runs.
cp mcpgen "$folder/.mcpgen.new"
mv "$folder/.mcpgen.new" "$folder/mcpgen"
echo "installed $("$folder/mcpgen" version | cut -d ' ' -f 1,2) in $folder"
case :$PATH: in *":$folder:"*) ;; *) echo "next: add $folder to PATH" ;; esac
