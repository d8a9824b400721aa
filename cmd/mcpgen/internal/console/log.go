package console

import (
	"context"
	"fmt"
	"log/slog"
)

// Logger returns a logger that prints to the console: warnings always, the rest if verbose.
func (c *Console) Logger() *slog.Logger { return slog.New(handler{console: c}) }

type handler struct {
	console *Console
	attrs   []slog.Attr
}

// Enabled accepts warnings, and everything if verbose.
func (h handler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || h.console.Verbose
}

// Handle prints message and attributes on one line.
func (h handler) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	add := func(a slog.Attr) bool {
		text += fmt.Sprintf(" %s=%q", a.Key, a.Value)
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	if r.Level >= slog.LevelWarn {
		h.console.Warn("%s", text)
	} else {
		h.console.Detail("%s", text)
	}
	return nil
}

// WithAttrs returns a handler with more attributes.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.attrs = append(h.attrs[:len(h.attrs):len(h.attrs)], attrs...)
	return h
}

// WithGroup returns h, since the sessions do not use groups.
func (h handler) WithGroup(string) slog.Handler { return h }
