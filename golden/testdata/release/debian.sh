# Runs in a new Debian root that has neither Go nor Node: sh -eux debian.sh
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
cd "$(dirname "$0")"
here=$PWD
find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /var -o -path "$here" -o -path /tmp \) -prune -o -print | sort >/tmp/before

dpkg -i mcpgen_*.deb
mcpgen version
test -s /usr/share/man/man1/mcpgen.1.gz
test -s /usr/share/bash-completion/completions/mcpgen
test -s /usr/share/doc/mcpgen/licences/go.dev/LICENSE
dpkg --purge mcpgen
hash -r
find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /var -o -path "$here" -o -path /tmp \) -prune -o -print | sort >/tmp/after
diff /tmp/before /tmp/after

# Each way to a first typed result, beginning with an empty folder and nothing installed.
export HOME=/root TMPDIR=/tmp
set +x
way() { # way NAME FETCHED: begins a way that fetches so many bytes
	name=$1 fetched=$2 began=$(date +%s)
	mkdir "/root/$name"
	cd "/root/$name"
	printf 'module example.com/hello\n\ngo 1.26\n' >go.mod
}
first() { # first MCPGEN…: locks a server and calls a tool
	"$@" add board -- "$here/server"
	"$@" call board/get_pr number=7 | grep -q title
	echo "seconds: $(($(date +%s) - began)) from nothing to the first result by $name; $fetched bytes fetched"
}
size() { cat "$@" | wc -c; }

way binary "$(size "$here"/mcpgen_linux_*.tar.gz "$here/checksums.txt" "$here/install.sh")"
MCPGEN_URL="file://$here" MCPGEN_DIR=/usr/local/bin sh "$here/install.sh"
first mcpgen
mcpgen generate --check
mcpgen check
rm /usr/local/bin/mcpgen

way package "$(size "$here"/mcpgen_*.deb)"
dpkg -i "$here"/mcpgen_*.deb
hash -r
first mcpgen
dpkg --purge mcpgen

way npm "$(size "$here"/mcpgen-mcpgen-*.tgz)"
node "$here/npm/bin/npm-cli.js" install --offline --no-audit --no-fund "$here"/mcpgen-mcpgen-*.tgz
first node_modules/.bin/mcpgen

# Nothing runs containers here: the binary runs in the image's files, as the image's user.
way image "$(size "$here/image.tar.gz")"
mkdir /image
tar -xzf "$here/image.tar.gz" -C /image
install -D -m 755 "$here/server" "/image$here/server"
cp go.mod /image/work/
first env -i HOME=/tmp PATH=/ /usr/bin/unshare --root=/image --wd=/work --setuid=65532 --setgid=65532 /mcpgen

# Go is there, of its modules none.
export PATH="$here/go/bin:$PATH" GOPROXY="file://$here/proxy,file://$here/modules/cache/download"
export GOSUMDB=off GOTOOLCHAIN=local GOFLAGS=-modcacherw GOCACHE=/gocache GOMODCACHE=/gomodules
way tool 0
cp go.mod tools.mod
go get -tool -modfile=tools.mod github.com/mcpgen/mcpgen/cmd/mcpgen@latest
fetched=$(find /gomodules/cache/download -type f \( -name '*.zip' -o -name '*.mod' -o -name '*.info' \) -exec cat {} + | wc -c)
first go tool -modfile=tools.mod mcpgen
echo PASS debian
