// The failures of exchanges over HTTP, in words.

package httpx

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach/internal/wire"
)

// Error is an HTTP exchange that failed below the protocol.
type Error struct {
	Status int               // of the answer; 0 if there was none
	Reason string            // what happened
	Steps  []string          // possible remedies, in texts without data; nil if unknown
	RPC    *runtime.RPCError // the error object in the answer's body; nil if there is none
	Err    error             // the cause; nil if Reason is complete
	// Refused reports that the server, or a proxy before it, rejected the request
	// without acting on it.
	Refused bool

	challenge  *challenge    // the credentials that a 401 or 403 requests; else nil
	retryAfter time.Duration // how long the server asks to wait; 0 if it does not
	forgotten  bool          // the server no longer knows the session
	noSession  bool          // the server wants a session
}

// Error gives the reason and the next steps.
func (e *Error) Error() string { return hint.Text(e.Reason, e.Steps) }

// NextSteps returns Steps, which Error ends with.
func (e *Error) NextSteps() []string { return e.Steps }

// Unwrap returns the kind of failure, the server's error object and the cause, if
// any.
func (e *Error) Unwrap() []error {
	var all []error
	switch {
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		all = append(all, runtime.ErrAuth)
	case e.Status == 0, e.Status == http.StatusTooManyRequests, e.Status >= 500 && e.RPC == nil:
		all = append(all, runtime.ErrUnavailable)
	}
	if e.RPC != nil {
		all = append(all, e.RPC)
	}
	if e.Err != nil {
		all = append(all, e.Err)
	}
	return all
}

// statusError returns the error of an answer whose status is not a success. It reads
// and closes the body.
func (c *client) statusError(resp *http.Response, req *http.Request) *Error {
	defer resp.Body.Close()
	hadSession := req.Header.Get(sessionHeader) != ""
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	e := &Error{Status: resp.StatusCode, RPC: wire.ErrorIn(body), retryAfter: waitOf(resp.Header)}
	said := quoteBody(resp.Header.Get("Content-Type"), body)
	if e.RPC != nil {
		said = ": the server says: " + spoken(e.RPC)
	}
	e.Reason = c.mask("HTTP " + statusText(resp.StatusCode) + said)
	answered := e.RPC != nil && isAnswer(body, req)
	e.noSession = !hadSession && !answered && namesSession(body)
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		e.Refused = code == http.StatusUnauthorized
		e.challenge = &challenge{used: req.Header.Get("Authorization"), req: req, resp: bare(*resp)}
		c.credentialStep(e)
	case code == http.StatusProxyAuthRequired:
		e.Refused, e.Steps = true, proxySteps(code)
		if proxy := c.proxy(); proxy != "" {
			e.Reason = "the proxy " + proxy + " requires credentials: " + e.Reason
		}
	case hadSession && isForgotten(code, body, answered):
		e.forgotten, e.Refused, e.Err = true, !answered, runtime.ErrUnavailable
		e.Reason += ": the server no longer knows this session"
		e.Steps = []string{"attach again"}
	case !answered && (code == http.StatusNotFound || code == http.StatusMethodNotAllowed):
		e.Steps = []string{"check the path in the key url, which often ends in /mcp or /sse"}
	case code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable:
		e.Refused = e.Refused || code == http.StatusTooManyRequests
		e.Reason, e.Steps = e.Reason+retryAfter(resp.Header), []string{"try again later"}
	case e.RPC != nil: // the server says why
	case code >= http.StatusInternalServerError:
		e.Steps = []string{"read the server's log", "try again later"}
	case code >= http.StatusBadRequest:
		e.Steps = []string{"check that the key url is the address of an MCP server", "read the server's log"}
	}
	return e
}

// credentialStep adds the next steps after a 401 or 403 without Credentials.
// Credentials add steps of their own.
func (c *client) credentialStep(e *Error) {
	switch {
	case c.opts.Credentials != nil:
	case e.Status == http.StatusUnauthorized:
		e.Steps = []string{"set the credentials that this server requires under the key headers, such as Authorization, and check that they are still valid",
			"to sign in, set the key auth of the server"}
	default:
		e.Reason += ": the configured headers have no credentials, or their credentials do not allow this"
	}
}

// bare returns an answer without its body, which has been read.
func bare(resp http.Response) *http.Response {
	resp.Body = http.NoBody
	return &resp
}

// isForgotten reports whether the server has forgotten the session. The protocol's status
// for that is 404; some servers answer 400 and name the session. They answer later requests
// in the same way, so only a new session helps. An error of the request itself has to have
// both.
func isForgotten(code int, body []byte, ofRequest bool) bool {
	names := namesSession(body)
	return code == http.StatusNotFound && (names || !ofRequest) || code == http.StatusBadRequest && names && !ofRequest
}

func namesSession(body []byte) bool { return bytes.Contains(bytes.ToLower(body), []byte("session")) }

// isOfOther reports whether only a server that does not speak a revision answers so.
func (e *Error) isOfOther(revision string) bool {
	switch {
	case e.RPC != nil && e.RPC.Code == mcp.CodeUnsupportedProtocolVersion:
		return true
	case revision < standardSince:
		return e.RPC != nil && e.RPC.Code == mcp.CodeHeaderMismatch
	}
	return e.noSession && (e.Status == http.StatusBadRequest || e.Status == http.StatusNotFound)
}

// isAnswer reports whether an error object has the ID of the request: the server may have
// acted on it.
func isAnswer(body []byte, req *http.Request) bool {
	if req.GetBody == nil {
		return false
	}
	sent, err := req.GetBody()
	if err != nil {
		return false
	}
	message, err := io.ReadAll(sent)
	id := jsontext.Member(message, "id")
	return err == nil && id != nil && bytes.Equal(id, jsontext.Member(body, "id"))
}

// waitOf parses Retry-After in seconds, its common form.
func waitOf(h http.Header) time.Duration {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After")))
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(min(n, 3600)) * time.Second
}

// spoken returns the message of an error object, on one clean line.
func spoken(e *runtime.RPCError) string {
	return fmt.Sprintf("%s (code %d)", safetext.Words(e.Message, 500), e.Code)
}

func statusText(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

func retryAfter(h http.Header) string {
	if s := safetext.Words(h.Get("Retry-After"), 40); s != "" {
		return fmt.Sprintf(" (the server says to try again after %q)", s)
	}
	return ""
}

// quoteBody returns the text of a body, fit for an error, with a leading colon. From
// HTML it removes the markup.
func quoteBody(contentType string, body []byte) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media = ""
	}
	text := string(body)
	if media == "text/html" || strings.HasPrefix(strings.TrimSpace(text), "<") {
		text = stripTags(text)
	} else if strings.ContainsRune(text, 0) {
		text = ""
	}
	text = safetext.Words(text, 200)
	kind := safetext.Words(media, 60)
	switch {
	case text == "" && kind == "":
		return ""
	case text == "":
		return fmt.Sprintf(" (%s)", kind)
	case kind == "" || kind == "text/plain":
		return fmt.Sprintf(": %q", text)
	}
	return fmt.Sprintf(" (%s): %q", kind, text)
}

// stripTags returns the text of an HTML page. It is good enough to quote, not to
// trust.
func stripTags(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		if !found {
			break
		}
		b.WriteByte(' ')
		for _, hidden := range []string{"style", "script"} {
			if len(rest) > len(hidden) && strings.EqualFold(rest[:len(hidden)], hidden) {
				_, rest, _ = strings.Cut(rest, "</")
			}
		}
		_, s, _ = strings.Cut(rest, ">")
	}
	return b.String()
}

// networkError explains a failure to reach the server.
func (c *client) networkError(err error) *Error {
	at := c.at()
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err // its own text repeats the address
	}
	if e := c.proxyError(err); e != nil {
		return e
	}
	if proxy := c.proxy(); proxy != "" {
		at += " through the proxy " + proxy
	}
	e := &Error{Err: err}
	var (
		dns      *net.DNSError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		record   tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &dns):
		e.Reason = fmt.Sprintf("the host %q cannot be found", c.origin.host)
		e.Steps = []string{"check the url and the network"}
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Refused = true // net/http dials again only if nothing was written before
		e.Reason = fmt.Sprintf("nothing answers at %s (connection refused)", at)
		e.Steps = []string{"start the server", "check the url"}
	case errors.As(err, &unknown):
		e.Reason = fmt.Sprintf("the TLS certificate of %s is not signed by an authority that this machine knows", at)
		e.Steps = []string{"install that authority's certificate", "check the url"}
	case errors.As(err, &hostname), errors.As(err, &invalid):
		e.Reason = fmt.Sprintf("the TLS certificate of %s cannot be used (%s)", at, safetext.Words(err.Error(), 200))
		e.Steps = []string{"check the url, and the certificate"}
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e.Reason = fmt.Sprintf("%s does not speak TLS", at)
		e.Steps = []string{"check whether the url should begin with http://"}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Reason = fmt.Sprintf("%s did not answer in time", at)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e.Reason = fmt.Sprintf("%s closed the connection without an answer", at)
	default:
		e.Reason = fmt.Sprintf("%s: %s", at, safetext.Words(err.Error(), 300))
	}
	return e
}

// at is the address of the server.
func (c *client) at() string { return net.JoinHostPort(c.origin.host, c.origin.port) }

func dialer() *net.Dialer { return &net.Dialer{Timeout: dialTimeout} }
