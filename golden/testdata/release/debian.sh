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

# The binary's way to a first typed result.
export HOME=/root TMPDIR=/tmp MCPGEN_URL="file://$here" MCPGEN_DIR=/usr/local/bin
began=$(date +%s)
sh ./install.sh
mkdir /root/hello
cd /root/hello
printf 'module example.com/hello\n\ngo 1.26\n' >go.mod
mcpgen add board -- "$here/server"
mcpgen call board/get_pr number=7 | grep -q title
set +x
echo "seconds: $(($(date +%s) - began)) from the archive to the first result; $(stat -c %s "$here"/mcpgen_linux_*.tar.gz) bytes fetched"
set -x
mcpgen generate --check
mcpgen check
echo PASS debian
