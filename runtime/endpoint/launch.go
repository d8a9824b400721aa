package endpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// EffectiveTransport returns the transport that is tried first: the configured
// one, else [Stdio] with a command and [HTTP] with a URL, else [Auto]. After
// HTTP fails, [SSE] may follow only if s.Transport is Auto.
func (s Server) EffectiveTransport() Transport {
	switch {
	case s.Transport != Auto:
		return s.Transport
	case s.Command != "":
		return Stdio
	case s.URL != "":
		return HTTP
	}
	return Auto
}

// LaunchHash returns "sha256:" and 64 hex digits over the command, its
// arguments and the URL as they were written. Variables are not expanded, so
// the hash is the same on every machine and tells nothing about secrets. Two
// launches that differ in any byte, or in where one argument ends, have
// different hashes.
func (s Server) LaunchHash() string {
	h := sha256.New()
	// Each text goes in with its length before it, so that no two lists of
	// texts are written alike.
	write := func(text string) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	write("mcpgen launch 1")
	write(s.Command)
	write(s.URL)
	for _, arg := range s.Args {
		write(arg)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
