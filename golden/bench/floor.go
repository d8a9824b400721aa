package main

// A typed call beside the least that any call can cost: lines that are prepared, a
// small client written by hand, and encoding/json alone.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/golden/cases/memory"
	"github.com/mcpgen/mcpgen/golden/process"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/attach/pinned"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// stub builds the server that answers with a prepared result of a size, and returns
// how it is started.
func (b *bench) stub(ctx context.Context, size int) (*endpoint.Process, error) {
	path := filepath.Join(b.dir, "stub.exe")
	if err := process.Build(ctx, b.checkout, path, "./golden/bench/stub"); err != nil {
		return nil, err
	}
	listing := filepath.Join(b.checkout, "golden", "corpus", "servers", "memory.json")
	return &endpoint.Process{Command: path, Args: []string{"-listing", listing, "-size", fmt.Sprint(size)}}, nil
}

// attached is a host of the stub that answers with a size.
func (b *bench) attached(ctx context.Context, size int) (*attach.Host, error) {
	launch, err := b.stub(ctx, size)
	if err != nil {
		return nil, err
	}
	host, err := attach.Connect(ctx, []endpoint.Server{{Name: "memory", Launch: launch}}, &attach.Options{Judge: pinned.ByHash([]*codec.Manifest{memory.Manifest()}...)})
	if err != nil {
		return nil, err
	}
	return host, host.Err()
}

// floor measures calls of the stub over stdio.
func floor(ctx context.Context, b *bench) ([]row, error) {
	host, err := b.attached(ctx, 200)
	if err != nil {
		return nil, err
	}
	defer host.Close()
	launch, err := b.stub(ctx, 200)
	if err != nil {
		return nil, err
	}
	raw, err := startPipe(ctx, launch)
	if err != nil {
		return nil, err
	}
	defer raw.close()
	byHand, err := startPipe(ctx, launch)
	if err != nil {
		return nil, err
	}
	client := newLean(byHand)
	defer client.close()
	gated, logged, done, err := b.guards(host)
	if err != nil {
		return nil, err
	}
	defer done()
	var rows []row
	for _, n := range callers {
		sides := []func(context.Context, int) error{short(host), client.call, short(gated), short(runtime.Chain(gated, logged))}
		if n == 1 {
			sides = append(sides, raw.call, jsonAlone(graph(200)))
		}
		costs, err := b.turns(ctx, n, sides)
		if err != nil {
			return rows, err
		}
		ours := costs[0]
		what := fmt.Sprintf("stdio, %d at a time, ", n)
		rows = append(rows, compared(what+"against a lean client by hand", ours.micros, costs[1].micros, 1, "µs", 1.0).because("by profile, 15 % of a call reads what the client by hand skips (content, isError), and 7 % is its deadline"))
		if n == 1 {
			rows = append(rows,
				compared(what+"against a prepared line to a child and back", ours.micros, costs[4].micros, 1, "µs", 2.2).because("by profile, a half is JSON, a sixth the form of the result, a tenth the deadline"),
				row{what: what + "allocations beyond encoding/json of arguments and result", ratio: ours.allocs.least() - costs[5].allocs.least(), budget: 8, unit: "allocations",
					why: "the deadline of a call is a timer, a context and its functions"})
		}
		rows = append(rows,
			compared(what+"behind a gate, against without", costs[2].micros, ours.micros, 1, "µs", 1.15),
			compared(what+"behind a gate and an audit log, against without", costs[3].micros, ours.micros, 1, "µs", 1.15).
				because("the log writes each line before the answer is passed on: one system call"))
	}
	return rows, nil
}

// floorHTTP measures calls over HTTP against a bare http.Client that posts the bytes of
// such a call and reads the answer to its end.
func floorHTTP(ctx context.Context, b *bench) ([]row, error) {
	url, stop, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	host, err := hostOf(ctx, url, "2025-11-25")
	if err != nil {
		return nil, err
	}
	defer host.Close()
	bare, err := barePosts(ctx, url)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, n := range callers {
		costs, err := b.turns(ctx, n, []func(context.Context, int) error{short(host), bare})
		if err != nil {
			return rows, err
		}
		rows = append(rows, compared(fmt.Sprintf("HTTP, %d at a time, against http.Client alone", n), costs[0].micros, costs[1].micros, 1, "µs", 1.3).because("by profile, half of what is more is JSON, a sixth reads the answer as a message, the rest is headers and the deadline"))
	}
	return rows, nil
}

// barePosts begins a session and returns a function that posts a prepared call in it.
func barePosts(ctx context.Context, url string) (func(context.Context, int) error, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 128 // the default keeps two
	post, err := beginSession(ctx, &http.Client{Transport: transport}, url)
	return func(ctx context.Context, _ int) error { return post(ctx, prepared) }, err
}

// beginSession begins a session of 2025-11-25 and returns a function that posts in it.
func beginSession(ctx context.Context, client *http.Client, url string) (post func(ctx context.Context, body string) error, err error) {
	session := ""
	post = func(ctx context.Context, body string) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if session == "" {
			session = res.Header.Get("Mcp-Session-Id")
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode < 300 {
			return err
		}
		return fmt.Errorf("%s: %s", url, res.Status)
	}
	err = post(ctx, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	if err == nil {
		err = post(ctx, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return post, err
}

// guards are inv behind a gate, and the middleware of an audit log on disk.
func (b *bench) guards(inv runtime.Invoker) (runtime.Invoker, runtime.Middleware, func(), error) {
	gate, err := b.gate()
	if err != nil {
		return nil, nil, nil, err
	}
	log, err := audit.Open(filepath.Join(b.dir, "audit.jsonl"), nil)
	if err != nil {
		return nil, nil, nil, err
	}
	return runtime.Chain(inv, gate), log.Middleware(), func() { _ = log.Close() }, nil
}

// short calls the generated function with the same short arguments, and looks at the
// result no further than its length: the stub does not answer what was asked.
func short(inv runtime.Invoker) func(context.Context, int) error {
	client := memory.New(inv)
	return func(ctx context.Context, i int) error {
		res, err := client.CreateEntities(ctx, memory.CreateEntitiesArgs{Entities: []memory.Entity{
			{Name: "bench", EntityType: "program", Observations: observation(i)},
		}})
		if err == nil && len(res.Entities) == 0 {
			err = errWrongAnswer
		}
		return err
	}
}

// jsonAlone makes the arguments of short and their JSON, and reads a result.
func jsonAlone(result []byte) func(context.Context, int) error {
	return func(_ context.Context, i int) error {
		if _, err := json.Marshal(memory.CreateEntitiesArgs{Entities: []memory.Entity{
			{Name: "bench", EntityType: "program", Observations: observation(i)},
		}}); err != nil {
			return err
		}
		var out entities
		return json.Unmarshal(result, &out)
	}
}

// pipe is a child and its two streams, after the handshake.
type pipe struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startPipe(ctx context.Context, launch *endpoint.Process) (*pipe, error) {
	cmd := exec.CommandContext(ctx, launch.Command, launch.Args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &pipe{cmd, in, bufio.NewReaderSize(out, 64<<10)}, nil
}

func (p *pipe) close() {
	_ = p.in.Close() // the stub ends with its input
	_ = p.cmd.Wait()
}

// prepared is a request of the tool as a client writes it.
const prepared = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entities","arguments":{"entities":[{"name":"bench","entityType":"program","observations":["observation number 1234 of this measurement","another one of about the same length"]}]}}}` + "\n"

// call writes a prepared line and reads a line, whatever it holds.
func (p *pipe) call(context.Context, int) error {
	if _, err := io.WriteString(p.in, prepared); err != nil {
		return err
	}
	_, err := p.read()
	return err
}

// read returns the next line; it holds until the next one is read.
func (p *pipe) read() ([]byte, error) {
	line, err := p.out.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := append([]byte(nil), line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = p.out.ReadSlice('\n')
		long = append(long, line...)
	}
	return long, err
}

// lean is the client that somebody writes in an afternoon: encoding/json, one goroutine
// that reads, and a channel for each call.
type lean struct {
	*pipe
	next    atomic.Int64
	mu      sync.Mutex
	waiting map[int64]chan answer
}

// answer is the outcome of a call.
type answer struct {
	Structured json.RawMessage
	err        error
}

func newLean(p *pipe) *lean {
	c := &lean{pipe: p, waiting: map[int64]chan answer{}}
	go c.readAll()
	return c
}

func (c *lean) readAll() {
	for {
		line, err := c.read()
		if err != nil {
			return // the bench closed it
		}
		var response struct {
			ID     int64
			Result struct{ StructuredContent json.RawMessage }
			Error  json.RawMessage
		}
		err = json.Unmarshal(line, &response)
		if err == nil && response.Error != nil {
			err = errors.New(string(response.Error))
		}
		c.mu.Lock()
		wait := c.waiting[response.ID]
		delete(c.waiting, response.ID)
		c.mu.Unlock()
		if wait != nil {
			wait <- answer{response.Result.StructuredContent, err}
		}
	}
}

// call is the call of short, through structs written by hand.
func (c *lean) call(ctx context.Context, i int) error {
	type params struct {
		Name      string   `json:"name"`
		Arguments entities `json:"arguments"`
	}
	type request struct {
		Version string `json:"jsonrpc"`
		ID      int64  `json:"id"`
		Method  string `json:"method"`
		Params  params `json:"params"`
	}
	id := c.next.Add(1)
	line, err := json.Marshal(request{"2.0", id, "tools/call", params{"create_entities", entities{[]entity{{"bench", "program", observation(i)}}}}})
	if err != nil {
		return err
	}
	wait := make(chan answer, 1)
	c.mu.Lock()
	c.waiting[id] = wait
	_, err = c.in.Write(append(line, '\n'))
	c.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case got := <-wait:
		if got.err != nil {
			return got.err
		}
		var out entities
		if err := json.Unmarshal(got.Structured, &out); err != nil {
			return err
		}
		if len(out.Entities) == 0 {
			return errWrongAnswer
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// results measures what a long result costs, against encoding/json of the same bytes
// into the same struct without the call.
func results(ctx context.Context, b *bench) ([]row, error) {
	var rows []row
	for _, size := range []struct {
		name   string
		bytes  int
		calls  int64
		budget float64
	}{{"200 B", 200, 4000, 0}, {"10 kB", 10e3, 1000, 0}, {"1 MB", 1e6, 20, 1.2}, {"10 MB", 10e6, 2, 0}} {
		host, err := b.attached(ctx, size.bytes)
		if err != nil {
			return rows, err
		}
		content := graph(size.bytes)
		decode := func(context.Context, int) error {
			var out entities
			return json.Unmarshal(content, &out)
		}
		costs, err := b.turnsOf(ctx, 1, size.calls, []func(context.Context, int) error{short(host), decode})
		host.Close()
		if err != nil {
			return rows, err
		}
		rows = append(rows, compared("a result of "+size.name+", against json.Unmarshal", costs[0].micros, costs[1].micros, 1, "µs", size.budget).because("by profile, decoding takes 0.8 of it, finding the result in the line 0.2, and the pipe 0.15"))
		if size.bytes >= 1e6 {
			rows = append(rows, row{
				what: "its memory over the line and json.Unmarshal's", cost: costs[0].bytes.in(1e-6, "MB"), against: costs[1].bytes.in(1e-6, "MB"),
				ratio: costs[0].bytes.least() / (costs[1].bytes.least() + float64(len(content))), budget: 1.1,
				why: "a line has no length in front: it is read in pieces and put together once",
			})
		}
	}
	return rows, nil
}

// graph is the structured content that the stub answers with.
func graph(size int) []byte {
	observation := strings.Repeat("observation ", 6)
	var all entities
	for n := 0; n == 0 || n*190 < size; n++ {
		all.Entities = append(all.Entities, entity{fmt.Sprintf("entity %07d", n), "program", []string{observation, "another one of about the same length"}})
	}
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings and slices of them always marshal
	}
	return data
}
