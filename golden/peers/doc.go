// Package peers holds what mcpgen is tried against: real MCP servers from the
// npm registry, pinned in package.json and package-lock.json. Make test-peers
// installs them and runs the tests, which are behind the build tag "peers".
//
// For each server and transport a module is made in a temporary folder. The
// mcpgen command generates into it, the module is built and vetted, and a
// program in it calls the generated functions. What they return is compared
// with what the MCP SDK's own untyped calls return from the same server.
package peers
