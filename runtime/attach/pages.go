// Calls that can go on only once a person has been to a page: before 2026-07-28
// the server refuses them and names the pages.

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/runtime"
)

// maxPages is how many pages one call may lead to.
const maxPages = 10

// visits are the pages that a person is at. The server says when they are done.
type visits struct {
	open sync.Map // string → chan struct{}: by the id of the request
}

// begin notes a page. It has to be noted before anybody goes there: the server may
// answer before the handler returns.
func (v *visits) begin(id string) (done <-chan struct{}, end func()) {
	c := make(chan struct{})
	v.open.Store(id, c)
	return c, func() { v.open.CompareAndDelete(id, c) }
}

// complete is the server's word that a person is done with a page.
func (v *visits) complete(_ context.Context, req *mcp.ElicitationCompleteNotificationRequest) {
	if req.Params == nil {
		return
	}
	if c, ok := v.open.LoadAndDelete(req.Params.ElicitationID); ok {
		close(c.(chan struct{}))
	}
}

// mayVisit reports whether a refused call may be sent again: the pages that it
// named have been visited. The server has not acted on it, since it says what has
// to come first.
func (s *session) mayVisit(ctx context.Context, refusal error) (bool, error) {
	var rpc *runtime.RPCError
	if s.handlers == nil || !s.handlers.does.Pages || !errors.As(refusal, &rpc) || rpc.Code != mcp.CodeURLElicitationRequired {
		return false, nil
	}
	var data struct {
		Elicitations []json.RawMessage `json:"elicitations"`
	}
	if json.Unmarshal(rpc.Data, &data) != nil || len(data.Elicitations) == 0 {
		return false, nil
	}
	if len(data.Elicitations) > maxPages {
		return false, fmt.Errorf("the server leads to more than %d pages for one call", maxPages)
	}
	for _, params := range data.Elicitations {
		if visited, err := s.visit(ctx, params); err != nil || !visited {
			return false, err
		}
	}
	return true, nil
}

// visit sends a person to one page, and waits until the server says that they are
// done there.
func (s *session) visit(ctx context.Context, params json.RawMessage) (bool, error) {
	done, end := s.handlers.visits.begin(jsontext.Text(jsontext.Member(params, "elicitationId"))) // the handler finds out what is wrong
	defer end()
	answer, err := s.handlers.answer(ctx, elicitation, params)
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
	case <-s.done():
		return false, lostOr(s, errClosed)
	}
}
