//go:build unix

// Those who call: each with its own texts, so that an answer shows whose it is.

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
	text   string
	took   time.Duration
	kind   string // "" is the answer; otherwise that of the error
	sent   bool   // of an error: it says that the server may have acted
	broken string // what is wrong with it; "" is nothing
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
		return fmt.Errorf("%s gave no session", c.url)
	}
	_, _, err = c.post(ctx, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return err
}

// call has all callers call at the same time, in rounds.
func (cs callers) call(ctx context.Context, rounds int) []outcome {
	var all []outcome
	for range rounds {
		results := make([]outcome, len(cs))
		ready := make(chan struct{})
		var calling sync.WaitGroup
		for i, c := range cs {
			calling.Go(func() {
				<-ready
				results[i] = c.call(ctx)
			})
		}
		close(ready)
		calling.Wait()
		all = append(all, results...)
	}
	return all
}

// call makes one call.
func (c *caller) call(ctx context.Context) outcome {
	o := outcome{text: fmt.Sprintf("text-%d-9007199254740993", texts.Add(1))}
	meta := ""
	if c.protocol == modern {
		meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"balance","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},`
	}
	began := time.Now()
	body, _, err := c.post(ctx, fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{%s"name":%q,"arguments":{"text":%q}}}`, meta, c.tool, o.text))
	o.took = time.Since(began)
	if err != nil {
		o.broken = err.Error()
		return o
	}
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
	return o
}

// post sends a message and returns the one that answers it.
func (c *caller) post(ctx context.Context, message string) ([]byte, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(message))
	if err != nil {
		return nil, nil, err
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
	res, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil, err
	}
	if res.StatusCode/100 != 2 {
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
