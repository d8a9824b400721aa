package attach

// Following resources: what is read when, when a subscription ends, and what becomes of it
// when the connection is lost.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// testChangingServers are servers whose resources change.
func testChangingServers(t *testing.T, f func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage)) {
	for _, mode := range []string{"updates", "updates-modern"} {
		t.Run(mode+"/stdio", func(t *testing.T) {
			t.Parallel()
			s, events := tracedServer(t, mode)
			f(t, s, events)
		})
		t.Run(mode+"/http", func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			s := httpServer(t, mode, "-trace", trace)
			addressOf(s).Transport = endpoint.HTTP
			f(t, s, func(event string) []map[string]json.RawMessage { return eventsIn(t, trace, event) })
		})
	}
}

func bumpCounter(t *testing.T, h *Host, uri string) {
	t.Helper()
	if _, err := callTool(t.Context(), h, "bump", `{"uri":"`+uri+`"}`); err != nil {
		t.Error(err)
	}
}

// watchTexts reads a resource at each change, and gives what it reads; the channel is closed
// at the end. Stop leaves the loop.
func watchTexts(ctx context.Context, h *Host, uri string) (texts <-chan string, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	out := make(chan string, 100)
	go func() {
		defer close(out)
		for res, err := range codec.WatchResource(ctx, h, codec.ItemRef{Server: "s", Name: uri}, nil) {
			if err != nil {
				out <- err.Error()
				return
			}
			out <- res.Text()
		}
	}()
	return out, cancel
}

// waitForText reads what comes until it is what is wanted.
func waitForText(t *testing.T, texts <-chan string, want string) {
	t.Helper()
	last := ""
	for deadline := time.After(testTimeout); last != want; {
		select {
		case text, ok := <-texts:
			if !ok {
				t.Fatalf("it ended at %q, want %q", last, want)
			}
			last = text
		case <-deadline:
			t.Fatalf("it stays at %q, want %q", last, want)
		}
	}
}

func TestResourcesAreFollowed(t *testing.T) {
	testChangingServers(t, func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage) {
		h := connectAll(t, nil, s)
		first, stopFirst := watchTexts(t.Context(), h, "mem://a")
		second, stopSecond := watchTexts(t.Context(), h, "mem://a")
		other, stopOther := watchTexts(t.Context(), h, "mem://b")
		for _, texts := range []<-chan string{first, second, other} {
			waitForText(t, texts, "0")
		}
		eventually(t, "all are subscribed", func() bool {
			return len(events("subscribed")) == map[bool]int{true: 3, false: 2}[h.serverState("s").session.isModern()]
		})
		bumpCounter(t, h, "mem://a")
		waitForText(t, first, "1")
		waitForText(t, second, "1")
		stopFirst()
		for range first { // it ends
		}
		bumpCounter(t, h, "mem://a")
		waitForText(t, second, "2") // whoever else follows it hears on
		stopSecond()
		bumpCounter(t, h, "mem://b")
		waitForText(t, other, "1")
		stopOther()
		for range second {
		}
		for range other {
		}
		eventually(t, "all are unsubscribed", func() bool { return len(events("unsubscribed")) == len(events("subscribed")) })
	})
}

// A loop that is left ends the subscription before it returns.
func TestLeavingALoopUnsubscribes(t *testing.T) {
	testChangingServers(t, func(t *testing.T, s endpoint.Server, events func(string) []map[string]json.RawMessage) {
		h := connectAll(t, nil, s)
		for range 2 {
			n := 0
			for res, err := range codec.WatchResource(t.Context(), h, codec.ItemRef{Server: "s", Name: "mem://a"}, nil) {
				if n++; err != nil || res.Text() != "0" {
					t.Errorf("%v, %v", res, err)
				}
				break
			}
		}
		// One that was left before the server had heard of it needs no end.
		eventually(t, "all are unsubscribed", func() bool { return len(events("subscribed")) == len(events("unsubscribed")) })
	})
}

// A lost session is followed by the next one, which subscribes again and reads what may
// have changed meanwhile.
func TestFollowingSurvivesAReconnect(t *testing.T) {
	for _, mode := range []string{"updates", "updates-modern"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s, events := tracedServer(t, mode)
			h := connectAll(t, nil, s)
			texts, stop := watchTexts(t.Context(), h, "mem://a")
			defer stop()
			waitForText(t, texts, "0")
			eventually(t, "the resource is subscribed to", func() bool { return len(events("subscribed")) == 1 })
			bumpCounter(t, h, "mem://a")
			waitForText(t, texts, "1")
			kill(t, h.Status()[0].PID)
			waitForText(t, texts, "0") // the new process counts from the beginning
			eventually(t, "it is subscribed again", func() bool { return len(events("subscribed")) == 2 })
			bumpCounter(t, h, "mem://a")
			waitForText(t, texts, "1")
		})
	}
}

func TestWhatCannotBeFollowed(t *testing.T) {
	h := connectReady(t, httpServer(t, "echo"))
	var last error
	for _, err := range codec.WatchResource(t.Context(), h, codec.ItemRef{Server: "s", Name: "mem://a"}, nil) {
		last = err
	}
	if !errors.Is(last, runtime.ErrUnavailable) || !strings.Contains(last.Error(), "resources.subscribe") {
		t.Errorf("a server that tells of no changes: %v", last)
	}
	h = connectAll(t, nil, httpServer(t, "updates"))
	texts, stop := watchTexts(t.Context(), h, "mem://a")
	defer stop()
	waitForText(t, texts, "0")
	if err := h.Detach("s"); err != nil {
		t.Fatal(err)
	}
	var said []string
	for text := range texts {
		said = append(said, text)
	}
	if len(said) != 1 || !strings.Contains(said[0], "detached") {
		t.Errorf("a server that is detached: %q", said)
	}
	h = connectAll(t, nil, httpServer(t, "updates"))
	pinned := codec.ItemRef{Server: "s", Name: "mem://a", Pin: "sha256:other"}
	for _, err := range codec.WatchResource(t.Context(), h, pinned, nil) {
		last = err
	}
	if !errors.Is(last, runtime.ErrDrift) {
		t.Errorf("a resource with another contract: %v", last)
	}
}

// The same with the SDK's own server, over each of its transports.
func TestResourcesOfTheSDKAreFollowed(t *testing.T) {
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{"sessions": nil, "stateless": {Stateless: true, PropagateRequestCancellation: true}} {
		t.Run(name, func(t *testing.T) {
			subscribed, ended := make(chan string, 10), make(chan string, 10)
			server := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ServerOptions{
				SubscribeHandler:   func(_ context.Context, r *mcp.SubscribeRequest) error { subscribed <- r.Params.URI; return nil },
				UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error { ended <- r.Params.URI; return nil },
			})
			server.AddResource(&mcp.Resource{URI: "mem://a", Name: "a"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: time.Now().Format(time.RFC3339Nano)}}}, nil
			})
			url := serveHTTP(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts))
			h := connectAll(t, nil, endpoint.Server{Name: "s", Launch: &endpoint.Address{URL: url}, AllowEmpty: true})
			texts, stop := watchTexts(t.Context(), h, "mem://a")
			before := <-texts
			<-subscribed
			after := before
			for deadline := time.Now().Add(testTimeout); after == before && time.Now().Before(deadline); {
				_ = server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "mem://a"})
				select {
				case after = <-texts:
				case <-time.After(20 * time.Millisecond):
				}
			}
			if after == before {
				t.Errorf("the text is still %q, want that after an update", after)
			}
			stop()
			for range texts {
			}
			select {
			case <-ended:
			case <-time.After(testTimeout):
				t.Error("the loop was left, and no request to unsubscribe came")
			}
		})
	}
}
