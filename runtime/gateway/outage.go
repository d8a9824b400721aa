// Outages of an authorization server.

package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/mcpgen/mcpgen/internal/stage"
)

// outagePause is the least time between the beginnings of two outages, so that a server
// that answers now and then does not fill the log.
const outagePause = time.Minute

// outage is the time in which an authorization server does not do its work. The zero value is
// usable.
type outage struct {
	mu    sync.Mutex
	began time.Time
	why   error // the first cause; nil before the first outage
	over  bool
}

// begin returns the error of the outage in progress, which begins now if necessary.
func (o *outage) begin(cause error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := time.Now(); o.why == nil || o.over && now.Sub(o.began) > outagePause {
		o.began, o.why = now, fmt.Errorf("%w (since %s)", cause, now.UTC().Format(time.RFC3339))
	}
	o.over = false
	return o.why
}

// end ends the outage.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
}

// now returns the error of the outage in progress, or nil.
func (o *outage) now() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return nil
	}
	return o.why
}

// reported returns a verifier that logs each outage once, with a number. Callers whose tokens
// cannot be verified get the number.
func (o *outage) reported(verify auth.TokenVerifier, to *failures) auth.TokenVerifier {
	return func(ctx context.Context, token string, r *http.Request) (*auth.TokenInfo, error) {
		info, err := verify(ctx, token, r)
		why, failed := o.now(), err != nil && !errors.Is(err, auth.ErrInvalidToken)
		if failed {
			why = err
		}
		if why == nil || ctx.Err() != nil {
			return info, err
		}
		reason := printable(why.Error())
		number, fresh := to.numberOf(reason)
		if fresh { // tokens may still be valid by the known keys
			to.log.Error("gateway: "+reason, "report", number)
		}
		if failed {
			err = errors.New((&failureDetail{Kind: kindUnavailable, Stage: stage.Auth, Report: number}).hidden())
		}
		return info, err
	}
}
