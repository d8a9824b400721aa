//go:build unix

// Long calls of older callers: an answer of some seconds, over a stream of events that
// breaks and is resumed.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A long call takes this many steps, and reports each of them if its server does.
const (
	steps    = 8
	stepTime = 500 * time.Millisecond
)

// follow makes long calls, all at the same time, and resumes their streams: every third caller
// hangs up after the first event; the balancer reads its configuration again once every
// stream has begun, and is killed once half of the steps are reported.
func (f *fleet) follow(ctx context.Context, cs callers) ([]outcome, error) {
	results := make([]outcome, len(cs))
	var begun, half, calling sync.WaitGroup
	for i, c := range cs {
		begun.Add(1)
		half.Add(1)
		s := &stream{caller: c, hangUp: i%3 == 0, begun: sync.OnceFunc(begun.Done), half: sync.OnceFunc(half.Done)}
		calling.Go(func() {
			defer s.begun()
			defer s.half()
			results[i] = s.call(ctx)
		})
	}
	begun.Wait()
	err := f.balancer.signal(f.reloads, false)
	half.Wait()
	err = errors.Join(err, f.balancer.signal(syscall.SIGKILL, true))
	calling.Wait()
	return results, err
}

// stream is one long call.
type stream struct {
	*caller
	hangUp      bool
	begun, half func()

	last  string // id of the last event
	steps int    // reported
	o     outcome
}

// errAnswered ends the reading of a stream.
var errAnswered = errors.New("answered")

// call makes the call, and resumes its stream until the answer is there.
func (s *stream) call(ctx context.Context) outcome {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s.o.text = newText()
	began := time.Now()
	err := s.read(ctx, http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"progressToken":"p"},"name":%q,"arguments":{"text":%q}}}`, s.tool, s.o.text))
	for !errors.Is(err, errAnswered) {
		if s.last == "" || ctx.Err() != nil {
			s.o.broken = fmt.Sprintf("no answer, after event %q: %v", s.last, err)
			return s.o
		}
		time.Sleep(20 * time.Millisecond) // the end of the connection is on its way
		err = s.read(ctx, http.MethodGet, "")
	}
	s.o.took = time.Since(began)
	if s.tool == "slow__echo" && s.steps != steps && s.o.broken == "" {
		s.o.broken = fmt.Sprintf("%d of %d steps were reported", s.steps, steps)
	}
	return s.o
}

// read sends a request, and reads the events of its answer.
func (s *stream) read(ctx context.Context, method, body string) error {
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	req, err := s.request(ctx, method, body)
	if err != nil {
		return err
	}
	if method == http.MethodGet {
		req.Header.Set("Last-Event-ID", s.last)
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 200)) // for a message
		if res.StatusCode == http.StatusNotFound {
			s.last = "" // the session is over
		}
		return fmt.Errorf("%s: %s", res.Status, text)
	}
	if method == http.MethodGet {
		s.o.resumed++
	}
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		line := lines.Text()
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			s.last = id
			s.begun()
			if s.tool == "late__echo" { // reports no steps
				s.half()
			}
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok && data != "" {
			if err := s.event(data); err != nil {
				return err
			}
		}
		if line == "" && s.last != "" && s.hangUp {
			s.hangUp = false
			return errors.New("the caller hung up")
		}
	}
	return errors.New("the stream ended")
}

// event reads one message.
func (s *stream) event(data string) error {
	var m struct {
		ID     int
		Method string
		Params struct{ Progress int }
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		return err
	}
	switch {
	case m.ID == 7:
		s.o.read([]byte(data))
		return errAnswered
	case m.Method == "notifications/progress":
		if s.steps++; m.Params.Progress != s.steps {
			s.o.broken = fmt.Sprintf("step %d is reported as %d", s.steps, m.Params.Progress)
		}
		if s.steps == steps/2 {
			s.half()
		}
	}
	return nil
}
