package endpoint

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

// OnlyReads reports whether a tool of the server changes nothing: by its own hint,
// readOnlyHint of the protocol, or where it has none, which is nil, by the operator's
// word.
func (s Server) OnlyReads(hint *bool) bool {
	if hint != nil {
		return *hint
	}
	return s.ReadOnly
}
