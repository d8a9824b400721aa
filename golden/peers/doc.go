// Package peers holds what mcpgen is tried against: real MCP servers, from npm
// (package.json, package-lock.json) and written in Go (programs.txt), all pinned.
// Make test-peers installs them and runs the tests, which are behind the build
// tag "peers".
//
// For some servers a module is made in a temporary folder, for each transport.
// The mcpgen command generates into it, the module is built and vetted, and a
// program in it calls the generated functions. What they return is compared with
// what the MCP SDK's own untyped calls return from the same server. All servers
// are attached to over every transport that they speak, and called once.
//
// Clients from npm, and the module clients with those written in Go, see the servers
// directly and through a gateway: testdata/differences.txt says what differs.
package peers
