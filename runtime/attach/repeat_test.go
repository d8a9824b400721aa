package attach

// A server that was given tokens repeats them, in every spelling, wherever it can:
// nothing but results shows them.

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	forms "github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/mask"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// renewed is a source of tokens that last for one request each.
type renewed struct {
	mu  sync.Mutex
	all []string
}

func (r *renewed) Token() (*oauth2.Token, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, fmt.Sprintf("token<%d>/that-is-planted+", len(r.all)))
	return &oauth2.Token{AccessToken: r.all[len(r.all)-1], RefreshToken: "refresh-" + r.all[len(r.all)-1], Expiry: time.Now()}, nil
}

// echoToken answers with the token of the request: in what it says of itself, in
// what it lists, in errors.
func echoToken(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	said := token + " " + strings.Join(forms.Spellings(token), " ")
	text, _ := json.Marshal(said)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "initialize":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"instructions":%s,"serverInfo":{"name":"s","version":%s}}}`, m.ID, text, text)
	case m.Method == "tools/list":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"go","inputSchema":{"type":"object"}},{"name":"told","description":%s,"inputSchema":{"type":"object"}}]}}`, m.ID, text)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s,"data":%s}}`, m.ID, text, text)
	}
}

func TestTokensThatAreRepeated(t *testing.T) {
	source := &renewed{}
	var log syncLog
	var hidden mask.Set
	var late mask.Set // learns what is in use once it is asked to
	var said strings.Builder
	h := connectAll(t, &Options{
		Auth: tokensOf(map[string]oauth2.TokenSource{"s": source}), Mask: &hidden, Protocols: map[string]string{"s": legacy},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: serveHTTP(t, http.HandlerFunc(echoToken)), Transport: endpoint.HTTP}})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	for range 3 { // each with a token of its own
		_, err := callTool(t.Context(), h, "go", `{}`)
		if err == nil {
			t.Fatal("the call has no error, want that of the server")
		}
		fmt.Fprintln(&said, err)
	}
	snap, problems, err := h.Snapshot(t.Context(), "s", nil)
	if err != nil || len(snap.Tools) != 1 || len(problems) != 1 {
		t.Fatalf("snapshot %+v, %v, %v", snap, problems, err)
	}
	h.Learn(&late)
	if now := source.all[len(source.all)-1]; late.Text("it is "+now) != "it is ***" {
		t.Errorf("who asks late does not learn the token in use: %q", late.Text("it is "+now))
	}
	if _, err := callTool(t.Context(), h, "go", `{}`); err == nil || strings.Contains(late.Text(source.all[len(source.all)-1]), "planted") {
		t.Errorf("who asked late does not learn the next token, %v", err)
	}
	about, _ := h.About("s")
	fmt.Fprintf(&said, "%s %v %+v %+v %s %+v", log.String(), problems, about, viewOf(h).Specs("s"), lockfile.EncodeSnapshot(snap), h.Status())
	if len(source.all) < 5 {
		t.Fatalf("only %d tokens", len(source.all))
	}
	for _, token := range source.all {
		for _, s := range forms.Spellings(token) {
			if strings.Contains(said.String(), s) {
				t.Errorf("%q is shown", s)
			}
		}
		if got := hidden.Text("the token is " + token + ", the other one refresh-" + token); strings.Contains(got, "planted") {
			t.Errorf("the program's mask lets %q pass", got)
		}
	}
}
