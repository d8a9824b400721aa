// Package testserver is an MCP server for tests: it replays real servers from
// files, and it misbehaves on demand, one fault per mode. It is written by hand
// against the protocol and shares no code with any SDK or with this module.
package testserver

// Main runs the server as a program would, and returns its exit status.
func Main(args []string) int { return 2 }
