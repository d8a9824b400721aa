#!/bin/sh
# A server changes under an agent of several packages: check names the lines that
# break, and no others; then the drift is accepted, the lines are changed, and
# everything fits again. It happens in a folder of its own, so that the checkout
# stays as it is.
#
# Any step that does not behave ends the demo with an error. No network is used
# beyond the module cache.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/examples/demo.sh"

# moved gives a text the import paths of the copy.
moved() {
	sed 's#github.com/mcpgen/mcpgen/examples/drift#example.com/drift#' "$1"
}

step "A module of its own: a server, and an agent with 30 calls of its tools in four packages"
cd "$work"
here="$root/examples/drift"
cp "$root/go.mod" "$root/go.sum" "$here/mcpgen.yaml" "$here/mcpgen.lock" .
cp -R "$here/server" "$here/agent" "$here/triage" "$here/intake" "$here/report" "$here/internal" .
find . -name '*.go' | while read -r file; do
	moved "$file" >"$file.new"
	mv "$file.new" "$file"
done
go mod edit -module example.com/drift -require github.com/mcpgen/mcpgen@v0.0.0 \
	-replace "github.com/mcpgen/mcpgen=$root" -tool github.com/mcpgen/mcpgen/cmd/mcpgen
export GOWORK=off
go build -o bin/tickets ./server
go build -o bin/mcpgen github.com/mcpgen/mcpgen/cmd/mcpgen
PATH="$work/bin:$PATH"
calls='(tickets|c|d|desk)\.(ListTickets|GetTicket|CreateTicket|CloseTicket|CountTicket|Summary)\(|finish\(|:= d\.CloseTicket'
count=$(cat agent/*.go triage/*.go intake/*.go report/*.go | grep -cE "$calls")
echo "$count calls"
[ "$count" -eq 30 ]
show go build -o bin/agent ./agent
show ./bin/agent
show mcpgen check

step "The server is upgraded: check names the lines that break, with the reason"
export TICKETS_SURFACE=2
fails 1 mcpgen check
fails 1 mcpgen check --all >check.out
grep -oE '[a-z]+/[a-z_]+\.go:[0-9]+ (uses|may use) [A-Za-z.]+' check.out | sort -u >found.out
grep -E "^[a-z]" "$here/callsites.txt" | sort >want.out
if ! diff want.out found.out >diff.out; then
	echo "demo: other lines than expected:" >&2
	cat diff.out >&2
	exit 1
fi
echo "$(wc -l <found.out) lines: each breaks, or calls what changed and may"

step "Accept it: snapshot, lock and code are rewritten"
show mcpgen update >update.out
grep -A 2 '"was"' mcpgen.lock
fails 1 go build ./...

step "Change those lines; calls of the renamed tool go on compiling, and go fix rewrites them"
moved "$here/upgrade.patch" >upgrade.patch
show git apply upgrade.patch
show go build ./...
show go fix ./triage ./report
grep -n 'CountTickets(' triage/*.go report/*.go
show go vet ./...
show go test ./report
show go build -o bin/agent ./agent
show ./bin/agent
show mcpgen check
printf '\nThe demo went as it should.\n'
