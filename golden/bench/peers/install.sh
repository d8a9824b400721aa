#!/usr/bin/env bash
# Installs what make bench-peers measures beside mcpgen into the folder that is the
# argument: npm packages, Go programs, and a client of mcp-go.
set -euo pipefail
dir=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
cp package.json package-lock.json "$dir"
(cd "$dir" && npm ci --no-audit --no-fund)
GOFLAGS='' GOBIN=$dir go install github.com/atombender/go-jsonschema@v0.24.1
GOFLAGS='' GOBIN=$dir go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
GOFLAGS='' GOBIN=$dir go install github.com/oasdiff/oasdiff@v1.37.0
cd mcpgo
GOFLAGS='' GOWORK=off go build -o "$dir/mcpgo" .
