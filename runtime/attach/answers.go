// Answers to a server's requests over one session: a limit on concurrent requests,
// and the pages that a person has to visit before a call can go on.

package attach

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

const (
	maxAsking  = 8   // requests of one session that are answered at the same time
	maxWaiting = 100 // requests of one session that wait for their turn
	maxPages   = 10  // pages that one call may require
)

// answers answers the requests of a server over one session.
type answers struct {
	Input
	server  string
	turns   chan struct{}
	waiting atomic.Int64
	visits  sync.Map // string → chan struct{}: the pages that a person is visiting, by elicitationId
}

// answer calls [Input.Answer] when it is this request's turn.
func (s *answers) answer(ctx context.Context, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error) {
	done, err := s.turn(ctx)
	switch {
	case err == nil:
		defer done()
		return s.Answer(ctx, s.server, method, params)
	case method != elicitation:
		return nil, "", err
	case ctx.Err() != nil:
		return json.RawMessage(`{"action":"cancel"}`), "", nil // the person was not asked
	}
	return nil, err.Error(), nil
}

// turn waits until another request may be answered. The returned function ends the
// turn.
func (s *answers) turn(ctx context.Context) (func(), error) {
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > maxWaiting {
		return nil, fmt.Errorf("more than %d requests of the server wait for an answer", maxWaiting)
	}
	select {
	case s.turns <- struct{}{}:
		return func() { <-s.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// visitAll handles an error by which a server before 2026-07-28 refuses a call until
// a person has visited pages. It asks for each page and waits until visited reports
// that the person is done there; see [endpoint.Offers.Pages]. Refusal is the data of
// the server's error; ended is closed with the session. The result reports whether
// the call may be sent again. Sending it again is safe, since the server has not
// acted on the refused call.
func (s *answers) visitAll(ctx context.Context, refusal json.RawMessage, ended <-chan struct{}, ask func(context.Context, json.RawMessage) (json.RawMessage, error)) (bool, error) {
	var data struct {
		Elicitations []json.RawMessage `json:"elicitations"`
	}
	if json.Unmarshal(refusal, &data) != nil || len(data.Elicitations) == 0 {
		return false, nil
	}
	if len(data.Elicitations) > maxPages {
		return false, fmt.Errorf("the server asks to open more than %d web pages for one call", maxPages)
	}
	for _, params := range data.Elicitations {
		if visited, err := s.visit(ctx, params, ended, ask); err != nil || !visited {
			return false, err
		}
	}
	return true, nil
}

// visit sends a person to one page, and waits until the server reports that the
// person is done there. The page is registered before the person is asked, since the
// server's report may arrive before the person's answer.
func (s *answers) visit(ctx context.Context, params json.RawMessage, ended <-chan struct{}, ask func(context.Context, json.RawMessage) (json.RawMessage, error)) (bool, error) {
	id, done := jsontext.Text(jsontext.Member(params, "elicitationId")), make(chan struct{}) // ask rejects invalid params
	s.visits.Store(id, done)
	defer s.visits.CompareAndDelete(id, done)
	answer, err := ask(ctx, params)
	if err != nil {
		return false, err
	}
	var said struct{ Action string }
	if json.Unmarshal(answer, &said) != nil || said.Action != "accept" {
		return false, nil
	}
	select {
	case <-done:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	case <-ended:
		return false, nil
	}
}

// visited handles the server's report that a person is done with a page.
func (s *answers) visited(id string) {
	if done, ok := s.visits.LoadAndDelete(id); ok {
		close(done.(chan struct{}))
	}
}
