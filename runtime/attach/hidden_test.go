package attach

// What a host has given to one server is in no error, log or progress of another one,
// nor of a later session.

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// parrot answers each call with an error that repeats the call's arguments.
func parrot(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Arguments struct{ Text json.RawMessage }
		}
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "initialize":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
	case m.Method == "tools/list":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"fail","inputSchema":{"type":"object"}}]}}`, m.ID)
	default:
		text := m.Params.Arguments.Text
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":%s}}\n\n", text)
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32000,\"message\":%s,\"data\":%s}}\n\n", m.ID, text, text)
	}
}

func TestSecretsOfOtherServers(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://proxy-user:proxy-p%40ss@127.0.0.1:1")
	var current atomic.Value
	current.Store("first-planted-value")
	url := serveHTTP(t, http.HandlerFunc(parrot))
	server := func(name, header string) endpoint.Server {
		s := endpoint.Server{Name: name, Launch: &endpoint.Address{URL: url, Transport: endpoint.HTTP, Headers: []endpoint.Var{{Name: "X-Key", Value: header}}}}
		s.Expand = func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
			if text != "SECRET" {
				return text, nil
			}
			v, _ := lookup(endpoint.Reference{Name: "KEY"})
			return v, nil
		}
		return s
	}
	var log syncLog
	h := connectAll(t, &Options{
		Protocols: map[string]string{"a": legacy, "b": legacy}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		LookupEnv: func(string) (string, bool) { return current.Load().(string), true },
	}, server("a", "SECRET"), server("b", "none"))
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	current.Store("second-planted-value")
	if err := h.Reload(t.Context(), []endpoint.Server{server("a", "SECRET"), server("b", "none")}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		for _, text := range []string{"first-planted-value", "second-planted-value", "x first-plant…nd-planted-value x", base64.StdEncoding.EncodeToString([]byte("proxy-user:proxy-p@ss")), "proxy-p@ss", "proxy-p%40ss"} {
			args, _ := json.Marshal(map[string]string{"text": text})
			_, err := h.Invoke(t.Context(), runtime.Request{Server: name, Method: protocol.MethodCallTool, Name: "fail", Args: args})
			rpc, _ := errors.AsType[*runtime.RPCError](err)
			if rpc == nil {
				t.Fatalf("%s, %s: %v", name, text, err)
			}
			for _, shown := range []string{err.Error(), rpc.Message, string(rpc.Data)} {
				if strings.Contains(shown, "plant") || strings.Contains(shown, "proxy-p") || strings.Contains(shown, "cHJveHk") || !strings.Contains(shown, "***") {
					t.Errorf("server %s: the error shows %q", name, shown)
				}
			}
		}
	}
	if got := log.String(); strings.Contains(got, "plant") || strings.Contains(got, "proxy-p") || strings.Contains(got, "cHJveHk") || !strings.Contains(got, "***") {
		t.Errorf("the log shows %s", got)
	}
}
