package lockfile

// This file writes the file format of a lock.

import (
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// Encode returns the lock's file: JSON with a trailing newline, servers and items sorted by name. Equal locks
// give equal bytes. Raw messages that are not JSON are written unchanged, so that [ParseLock] rejects the
// result.
//
// Every item is a separate group of lines whose first and last lines do not depend on its hashes ("go" is
// always the last member), so that git merges two branches that update different items.
func (l *Lock) Encode() []byte {
	w := newFileWriter(lockForm, 0)
	w.number("contracts", l.Revision)
	w.name("servers")
	w.open()
	for _, name := range slices.Sorted(maps.Keys(l.Servers)) {
		if s := l.Servers[name]; s != nil {
			w.name(name)
			w.server(s)
		}
	}
	w.close()
	return w.file()
}

func (w *fileWriter) server(s *LockedServer) {
	w.open()
	w.source(s.Source)
	w.raw("identity", s.Identity)
	w.text("protocol", s.Protocol)
	w.raw("capabilities", s.Capabilities)
	w.raw("clientCapabilities", s.ClientCapabilities)
	w.launch(s.Launch)
	w.artifact(s.Artifact)
	w.text("store", s.Store)
	w.text("instructions", s.Instructions)
	w.accepted(s.Accepted)
	w.raw("go", s.Go)
	if s.Unordered {
		w.name("unordered")
		w.buf = append(w.buf, "true"...)
	}
	for _, l := range lists() {
		items := s.Items(l.kind)
		if len(items) == 0 && l.kind != schema.KindTool {
			continue
		}
		w.name(l.member)
		w.open()
		for _, name := range slices.Sorted(maps.Keys(items)) {
			w.name(name)
			w.item(items[name])
		}
		w.close()
	}
	w.close()
}

func (w *fileWriter) launch(l Launch) {
	if l.Hash != "" {
		w.name("launch")
		w.launchValue(l)
	}
}

// launchValue writes a launch with each argument and each variable on a separate line. A launch with only a
// hash is written as that hash.
func (w *fileWriter) launchValue(l Launch) {
	if l.HashOnly() {
		if l.Hash != "" {
			w.buf = appendVisible(w.buf, l.Hash)
		}
		return
	}
	w.open()
	w.text("transport", l.Transport)
	w.text("command", l.Command)
	w.texts("args", l.Args)
	w.text("envFile", l.EnvFile)
	w.texts("inheritEnv", l.Inherit)
	w.pairs("env", l.Env)
	w.text("url", l.URL)
	w.pairs("headers", l.Headers)
	w.text("artifacts", l.Artifacts)
	w.texts("installScripts", l.Scripts)
	w.text("hash", l.Hash)
	w.close()
}

func (w *fileWriter) item(it LockedItem) {
	w.open()
	w.text("contract", it.Contract)
	w.text("full", it.Full)
	w.text("key", it.Key)
	if it.Result != (LockedResult{}) {
		w.name("result")
		w.open()
		w.text("source", string(it.Result.Source))
		w.text("hash", it.Result.Hash)
		w.close()
	}
	w.text("suffix", it.Suffix)
	if it.Place > 0 {
		w.number("place", it.Place)
	}
	w.accepted(it.Accepted)
	if it.Go == nil {
		w.name("go")
		w.open()
		w.close()
	}
	w.raw("go", it.Go)
	w.close()
}
