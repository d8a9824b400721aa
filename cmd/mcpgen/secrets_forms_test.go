package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/config/trust"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mcptest"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// plantedTokens are a token of every form in the table, made here so that none stands in
// the repository, and a key.
func plantedTokens() []string {
	var all []string
	for _, f := range credentials.TokenForms() {
		from := "a1b2c3d4"
		if !strings.Contains(f.Body, "a-") {
			from = strings.ToUpper(from)
		}
		for _, prefix := range f.Prefixes {
			all = append(all, prefix+strings.Repeat(from, f.Length/len(from)+1))
		}
	}
	return append(all, "-----BEGIN PRIVATE"+" KEY-----\nMIIBVAIBADANBg\n-----END PRIVATE"+" KEY-----")
}

// Whatever is shown or written down knows every form of the table, by the token alone:
// no name beside it says that it is secret.
func TestSecretsOfEveryForm(t *testing.T) {
	for sink, write := range map[string]func(*testing.T, string) string{
		"config": configSink, "launch": launchSink, "trust": trustSink, "recorder": recorderSink, "errors": errorSink, "audit": auditSink,
	} {
		t.Run(sink, func(t *testing.T) {
			for _, token := range plantedTokens() {
				got := write(t, token)
				for _, part := range strings.Split(token, "\n") {
					if strings.Contains(got, part) {
						t.Errorf("%s is shown: %s", part, got)
					}
				}
			}
		})
	}
	for _, token := range plantedTokens() {
		if !isPlainSecret("PLAIN", token) {
			t.Errorf("add writes %s into mcpgen.yaml", token)
		}
	}
}

// quoted is a text as JSON and YAML have it.
func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

func configSink(t *testing.T, token string) string {
	p, err := config.Parse([]byte("version: 1\nservers:\n  a: {command: x, args: [" + quoted("--with="+token) + ", " + quoted(token) + "], env: {PLAIN: " + quoted(token) + "}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(p.Settings())
}

func launchSink(_ *testing.T, token string) string {
	return config.Launch(endpoint.Server{Launch: &endpoint.Process{Command: "x", Args: []string{token, "--with=" + token}}})
}

func trustSink(t *testing.T, token string) string {
	dir := t.TempDir()
	text := `{"mcpServers":{"a":{"command":"x","args":[` + quoted(token) + `],"env":{"PLAIN":` + quoted(token) + `}}}}`
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := trust.Open(filepath.Join(dir, "trust.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.Review(dir)
	if err != nil || len(r.Changes) == 0 {
		t.Fatal(r, err)
	}
	var lines []string
	for _, c := range r.Changes {
		lines = append(lines, changeLines(c)...)
	}
	if _, err := store.Accept(r); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(store.Path())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n") + string(kept)
}

// invokeWith makes a call with the token in its argument, result and error.
func invokeWith(t *testing.T, token string, middleware runtime.Middleware) {
	args := json.RawMessage(`{"note":` + quoted(token) + `}`)
	for _, fail := range []error{nil, errors.New("refused: " + token)} {
		inv := runtime.InvokerFunc(func(_ context.Context, req runtime.Request) (*runtime.Result, error) {
			if fail != nil {
				return nil, fail
			}
			return req.ParseResult(json.RawMessage(`{"content":[{"type":"text","text":` + quoted("it is "+token) + `}]}`))
		})
		_, err := middleware(inv).Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "tool", Args: args})
		if !errors.Is(err, fail) {
			t.Fatal(err)
		}
	}
}

func recorderSink(t *testing.T, token string) string {
	var out bytes.Buffer
	r := mcptest.NewRecorder(&out, nil)
	invokeWith(t, token, r.Middleware)
	if err := r.Err(); err != nil || bytes.Count(out.Bytes(), []byte("\n")) < 3 {
		t.Fatal(out.String(), err)
	}
	return out.String()
}

func auditSink(t *testing.T, token string) string {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := audit.Open(path, &audit.Options{Arguments: true, Launch: func(string) string { return "x " + token }})
	if err != nil {
		t.Fatal(err)
	}
	invokeWith(t, token, log.Middleware())
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || bytes.Count(data, []byte("\n")) != 2 {
		t.Fatal(string(data), err)
	}
	return string(data)
}

// errorSink is an error of a server that repeats what it was started with.
func errorSink(t *testing.T, token string) string {
	r, err := endpoint.Server{Name: "s", Launch: &endpoint.Process{Command: "x", Args: []string{token}, Env: []endpoint.Var{{Name: "PLAIN", Value: token}}}}.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(r.Secrets, token) {
		return token
	}
	return ""
}
