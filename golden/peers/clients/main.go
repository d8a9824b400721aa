// Command clients is a client of an SDK for Go, which takes steps and prints what it sees:
// clients go-sdk|mcp-go REVISION NAME HOME STEPS URL | COMMAND…
// The file compare_test.go of the folder above says what the lines of STEPS and the printed
// lines hold.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// modern is the first revision without sessions.
const modern = "2026-07-28"

// person is who answers the requests of servers.
type person struct {
	name, home string
	// take is called with each request and notification of the server. Token is that of
	// notifications about progress.
	take func(method string, token, params any)
}

// session is a session of an SDK.
type session interface {
	// request makes a request. With a token it asks for notifications about its progress.
	request(ctx context.Context, method string, params json.RawMessage, token string) (any, error)
	close() error
}

// connect returns a session, and what the server says of itself.
type connect func(ctx context.Context, p *person, revision string, target []string) (session, any, error)

var sdks = map[string]connect{"go-sdk": connectGoSDK, "mcp-go": connectMCPGo}

// step is a line of STEPS.
type step struct {
	Step, Method string
	Params       json.RawMessage
	Wants        map[string]int
	Meet, Cancel bool
	Until        string
}

// taskID is the task in a line.
var taskID = regexp.MustCompile(`"taskId":"([^"]+)"`)

// line is a line of the output.
type line struct {
	Meet   string           `json:"meet,omitempty"`
	Step   string           `json:"step,omitempty"`
	Result any              `json:"result,omitempty"`
	Error  any              `json:"error,omitempty"`
	Saw    map[string][]any `json:"saw,omitempty"`
}

// terminal is the standard input and output.
type terminal struct {
	in  *bufio.Scanner
	out *json.Encoder
}

func (t *terminal) meet(name string) {
	_ = t.out.Encode(line{Meet: name})
	t.in.Scan()
}

// seen is what arrives during a step.
type seen struct {
	step
	t      *terminal
	cancel func()
	met    sync.Once
	mu     sync.Mutex
	left   map[string]int
	saw    map[string][]any
	all    chan bool
}

func newSeen(s step, t *terminal, cancel func()) *seen {
	n := &seen{step: s, t: t, cancel: cancel, left: maps.Clone(s.Wants), saw: map[string][]any{}, all: make(chan bool)}
	if len(s.Wants) == 0 {
		close(n.all)
	}
	return n
}

func (s *seen) take(method string, params any) {
	s.mu.Lock()
	left := s.left[method]
	if left > 0 {
		s.saw[method] = append(s.saw[method], params)
		if s.left[method]--; left == 1 {
			delete(s.left, method)
		}
		if len(s.left) == 0 {
			close(s.all)
		}
	}
	s.mu.Unlock()
	if left == 0 {
		return
	}
	if s.Meet {
		s.met.Do(func() { s.t.meet(s.Step) })
	}
	if s.Cancel {
		s.cancel()
	}
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 6 || sdks[args[0]] == nil {
		return fmt.Errorf("want go-sdk|mcp-go REVISION NAME HOME STEPS URL | COMMAND…")
	}
	t := &terminal{bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)}
	t.out.SetEscapeHTML(false)
	var mu sync.Mutex
	now := newSeen(step{}, t, nil)
	p := &person{name: args[2], home: args[3], take: func(method string, token, params any) {
		mu.Lock()
		s := now
		mu.Unlock()
		if token == nil || token == s.Step { // else it is late
			s.take(method, params)
		}
	}}
	text, err := os.ReadFile(args[4])
	if err != nil {
		return err
	}
	ctx := context.Background()
	s, hello, err := sdks[args[0]](ctx, p, args[1], args[5:])
	if err != nil {
		return t.out.Encode(line{Step: "initialize", Error: err.Error()})
	}
	if err := t.out.Encode(line{Step: "initialize", Result: hello}); err != nil {
		return err
	}
	task := "$TASK"
	for text := range strings.Lines(strings.NewReplacer("$HOME", p.home, "$NAME", p.name).Replace(string(text))) {
		var next step
		if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "$TASK", task)), &next); err != nil {
			return err
		}
		call, cancel := context.WithCancel(ctx)
		n := newSeen(next, t, cancel)
		mu.Lock()
		now = n
		mu.Unlock()
		l := n.run(call, s)
		if text, err := json.Marshal(l.Result); err == nil {
			if m := taskID.FindSubmatch(text); m != nil {
				task = string(m[1])
			}
		}
		if err := t.out.Encode(l); err != nil {
			return err
		}
		cancel()
	}
	_ = s.close() // a server may be ended by a signal
	return nil
}

// run takes the step.
func (s *seen) run(ctx context.Context, with session) line {
	if s.Meet && len(s.Wants) == 0 {
		s.t.meet(s.Step)
	}
	l, token := line{Step: s.Step}, ""
	if s.Wants["notifications/progress"] > 0 {
		token = s.Step
	}
	for range 100 {
		result, err := with.request(ctx, s.Method, s.Params, token)
		if l.Result, l.Error = result, nil; err != nil {
			l.Result, l.Error = nil, err.Error()
		}
		got, err := json.Marshal(l)
		if err != nil {
			l.Result, l.Error = nil, err.Error()
		}
		if s.Until == "" || strings.Contains(string(got), s.Until) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	select {
	case <-s.all:
	case <-time.After(10 * time.Second):
	}
	if s.Meet && len(s.Wants) > 0 {
		s.met.Do(func() { s.t.meet(s.Step) })
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Saw, s.left = maps.Clone(s.saw), nil
	return l
}
