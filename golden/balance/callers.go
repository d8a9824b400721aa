//go:build unix

// Those who call: each with its own texts, so that an answer shows whose it is.

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The revisions that callers speak.
const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

// caller is one of them.
type caller struct {
	url, tool, protocol string
	session             string // "" before it is begun, and in 2026-07-28
}

type callers []*caller

// outcome is what became of one call.
type outcome struct {
	text    string
	took    time.Duration
	kind    string // "" is the answer; otherwise that of the error
	sent    bool   // of an error: it says that the server may have acted
	broken  string // what is wrong with it; "" is nothing
	lost    bool   // it is broken because its connection or its gateway ended
	resumed int    // how often its stream was resumed
}

func newCallers(url, tool string, n int, protocol string) callers {
	var all callers
	for range n {
		all = append(all, &caller{url: url, tool: tool, protocol: protocol})
	}
	return all
}

// client keeps as many connections as there are callers.
var client = &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConns: 8000, MaxIdleConnsPerHost: 4000}}

var texts atomic.Int64

// begin begins the sessions of those that need one.
func (cs callers) begin(ctx context.Context) error {
	errs := make(chan error, len(cs))
	turns := make(chan struct{}, 50)
	for _, c := range cs {
		go func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			errs <- c.begin(ctx)
		}()
	}
	for range cs {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func (c *caller) begin(ctx context.Context) error {
	if c.session != "" || c.protocol == modern {
		return nil
	}
	_, header, err := c.post(ctx, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+legacy+`","capabilities":{},"clientInfo":{"name":"balance","version":"1"}}}`)
	if err != nil {
		return err
	}
	if c.session = header.Get("Mcp-Session-Id"); c.session == "" {
		return fmt.Errorf("%w: %s gave none", errNoSession, c.url)
	}
	if _, _, err = c.post(ctx, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		c.session = ""
	}
	return err
}

// call has all callers call at the same time, in rounds. Middle runs from when half of
// the first round's calls are answered; the rounds go on until it ends.
func (cs callers) call(ctx context.Context, rounds int, middle func(context.Context) error) ([]outcome, error) {
	var all []outcome
	var answered atomic.Int64
	var err error
	half, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		if <-half; middle != nil {
			err = middle(ctx)
		}
	}()
	for round := 0; round < rounds || !closed(over); round++ {
		results := make([]outcome, len(cs))
		ready := make(chan struct{})
		var calling sync.WaitGroup
		for i, c := range cs {
			calling.Go(func() {
				<-ready
				results[i] = c.call(ctx)
				if answered.Add(1) == int64(len(cs)+1)/2 {
					close(half)
				}
			})
		}
		close(ready)
		calling.Wait()
		all = append(all, results...)
	}
	return all, err
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func newText() string { return fmt.Sprintf("text-%d-9007199254740993", texts.Add(1)) }

var (
	errNoSession  = errors.New("the session is over") // its caller begins another one
	errBadGateway = errors.New("the gateway ended")   // the balancer's word
)

// call makes one call.
func (c *caller) call(ctx context.Context) outcome {
	o := outcome{text: newText()}
	meta := ""
	if c.protocol == modern {
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"balance","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`
	}
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{%s"name":%q,"arguments":{"text":%q}}}`, meta, c.tool, o.text)
	began := time.Now()
	var body []byte
	err := errNoSession
	for range 4 {
		if err = c.begin(ctx); err == nil {
			body, _, err = c.post(ctx, message)
		}
		if !errors.Is(err, errNoSession) {
			break
		}
		c.session = ""
	}
	o.took = time.Since(began)
	if err != nil {
		var ended *url.Error
		o.broken, o.lost = err.Error(), errors.Is(err, errBadGateway) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &ended)
		return o
	}
	o.read(body)
	return o
}

// read reads what answers a call.
func (o *outcome) read(body []byte) {
	var answer struct {
		Result struct {
			StructuredContent struct{ Text string }
			IsError           bool
		}
		Error *struct {
			Message string
			Data    struct {
				Kind string
				Sent bool
			}
		}
	}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		o.broken = fmt.Sprintf("not an answer: %.200s", body)
	case answer.Error != nil && answer.Error.Data.Kind != "":
		o.kind, o.sent = answer.Error.Data.Kind, answer.Error.Data.Sent
	case answer.Error != nil:
		o.broken = fmt.Sprintf("an error without a kind: %.200s", body)
	case answer.Result.IsError || answer.Result.StructuredContent.Text != o.text:
		o.broken = fmt.Sprintf("another's answer: want %s, got %.200s", o.text, body)
	}
}

// request is a request of a caller.
func (c *caller) request(ctx context.Context, method, message string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.url, strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", c.protocol)
	switch {
	case c.session != "":
		req.Header.Set("Mcp-Session-Id", c.session)
	case c.protocol == modern:
		req.Header.Set("Mcp-Method", "tools/call")
		req.Header.Set("Mcp-Name", c.tool)
	}
	return req, nil
}

// post sends a message and returns the one that answers it.
func (c *caller) post(ctx context.Context, message string) ([]byte, http.Header, error) {
	req, err := c.request(ctx, http.MethodPost, message)
	if err != nil {
		return nil, nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case res.StatusCode == http.StatusNotFound && c.session != "":
		return nil, nil, errNoSession
	case res.StatusCode == http.StatusBadGateway:
		return nil, nil, errBadGateway
	case res.StatusCode == http.StatusServiceUnavailable: // the gateway is ending, and says so
	case res.StatusCode/100 != 2:
		return nil, nil, fmt.Errorf("%s: %.200s", res.Status, body)
	}
	return lastMessage(body), res.Header, nil
}

// lastMessage is a body that is JSON, or the last message of a stream of events.
func lastMessage(body []byte) []byte {
	last := body
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			last = bytes.Clone(data)
		}
	}
	return last
}
