#!/bin/sh
# The quickstart from nothing, in a folder of its own, so that the checkout
# stays as it is: generate, build, call; then the server is upgraded, check
# fails, update accepts, the compiler shows what no longer fits, and fix corrects it.
#
# Any step that does not behave ends the demo with an error. No network is used
# beyond the module cache.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/examples/demo.sh"

# has ends the demo if a file lacks a text.
has() {
	if ! grep -q -- "$2" "$1"; then
		echo "demo: $1 lacks: $2" >&2
		cat "$1" >&2
		exit 1
	fi
}

step "A module of its own, with mcpgen as a tool, a server and an agent"
cd "$work"
cp "$root/go.mod" "$root/go.sum" .
cp -R "$root/examples/quickstart/server" "$root/examples/quickstart/agent" "$root/examples/quickstart/mcpgen.yaml" .
for file in agent/*.go; do
	sed 's#github.com/mcpgen/mcpgen/examples/quickstart#example.com/quickstart#' "$file" >"$file.new"
	mv "$file.new" "$file"
done
go mod edit -module example.com/quickstart -require github.com/mcpgen/mcpgen@v0.0.0 \
	-replace "github.com/mcpgen/mcpgen=$root" -tool github.com/mcpgen/mcpgen/cmd/mcpgen
export GOWORK=off
show cat mcpgen.yaml
go build -o bin/tracker ./server
go build -o bin/mcpgen github.com/mcpgen/mcpgen/cmd/mcpgen
PATH="$work/bin:$PATH"

step "Generate: attach, lock, write a typed package"
show mcpgen generate
has internal/mcp/tracker/tracker.go '^func ListPRs('
grep -o '^func ListPRs([^)]*)' internal/mcp/tracker/tracker.go

step "Build the agent and run it against the live server"
show go build -o bin/agent ./agent
show ./bin/agent >agent.out
cat agent.out
has agent.out '^2 open pull requests$'
has agent.out '^5 tools are registered$'

step "Nothing has changed"
show mcpgen check

step "The server is upgraded: state is now called status, and a tool is new"
export TRACKER_VERSION=2
fails 1 mcpgen check >check.out 2>&1
cat check.out
has check.out 'list_prs'
has check.out 'request_review'

step "Accept it: snapshot, lock and code are rewritten"
show mcpgen update

step "The compiler names what the agent has to change"
fails 1 go build -o bin/agent ./agent >build.out 2>&1
cat build.out
has build.out 'unknown field State'

step "The change has one right answer: fix writes it"
show mcpgen fix
has agent/main.go 'Status: tracker.StateOpen'

step "Everything fits again"
show go build -o bin/agent ./agent
show ./bin/agent >agent.out
cat agent.out
has agent.out '^2 open pull requests$'
show mcpgen check
printf '\nThe demo went as it should.\n'
