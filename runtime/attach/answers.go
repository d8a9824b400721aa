// What answers over one session: a bounded number of requests at the same time, and the
// pages that a person has to be at before a call can go on.

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
	maxAsking  = 8   // answers of one session at the same time
	maxWaiting = 100 // requests of a server that wait for their turn
	maxPages   = 10  // that one call may lead to
)

// answers answers what a server asks over one session.
type answers struct {
	Input
	server  string
	turns   chan struct{}
	waiting atomic.Int64
	visits  sync.Map // string → chan struct{}: the pages that a person is at, by the id of the request
}

// answer is [Input.Answer] in its turn.
func (s *answers) answer(ctx context.Context, method string, params json.RawMessage) (answer json.RawMessage, declined string, err error) {
	done, err := s.turn(ctx)
	switch {
	case err == nil:
		defer done()
		return s.Answer(ctx, s.server, method, params)
	case method != elicitation:
		return nil, "", err
	case ctx.Err() != nil:
		return json.RawMessage(`{"action":"cancel"}`), "", nil // nobody said anything
	}
	return nil, err.Error(), nil
}

// turn waits until there may be one more answer. The function gives the turn back.
func (s *answers) turn(ctx context.Context) (func(), error) {
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > maxWaiting {
		return nil, fmt.Errorf("more than %d requests wait for an answer", maxWaiting)
	}
	select {
	case s.turns <- struct{}{}:
		return func() { <-s.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// visitAll sends a person to the pages that a call was refused for, before 2026-07-28, each by
// asking for it, and waits until they are done there, which visited says; see [Offers.Pages].
// Refusal is the data of the server's error, ended is closed with the session. It reports
// whether the call may be sent again: the server has not acted on it, since it says what has
// to come first.
func (s *answers) visitAll(ctx context.Context, refusal json.RawMessage, ended <-chan struct{}, ask func(context.Context, json.RawMessage) (json.RawMessage, error)) (bool, error) {
	var data struct {
		Elicitations []json.RawMessage `json:"elicitations"`
	}
	if json.Unmarshal(refusal, &data) != nil || len(data.Elicitations) == 0 {
		return false, nil
	}
	if len(data.Elicitations) > maxPages {
		return false, fmt.Errorf("the server leads to more than %d pages for one call", maxPages)
	}
	for _, params := range data.Elicitations {
		if visited, err := s.visit(ctx, params, ended, ask); err != nil || !visited {
			return false, err
		}
	}
	return true, nil
}

// visit sends a person to one page, and waits until the server says that they are done
// there. The page is noted before anybody goes there: the server may say so before the
// answer is here.
func (s *answers) visit(ctx context.Context, params json.RawMessage, ended <-chan struct{}, ask func(context.Context, json.RawMessage) (json.RawMessage, error)) (bool, error) {
	id, done := jsontext.Text(jsontext.Member(params, "elicitationId")), make(chan struct{}) // who is asked finds out what is wrong
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

// visited is the server's word that a person is done with a page.
func (s *answers) visited(id string) {
	if done, ok := s.visits.LoadAndDelete(id); ok {
		close(done.(chan struct{}))
	}
}
