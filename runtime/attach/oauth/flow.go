// The flow that leads a person to the sign-in page, and the answer back.

package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/loopback"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// defaultLoginTime is how long a person may take to sign in.
const defaultLoginTime = 5 * time.Minute

// A Flow lets a person sign in. Each Begin is one sign-in.
type Flow interface {
	// Begin prepares a sign-in, since the address to which the browser returns must
	// be known first. Before it returns, this program has not contacted an
	// authorization server to register. The caller must close the login.
	Begin(ctx context.Context, req Request) (Login, error)
}

// Request describes a sign-in.
type Request struct {
	Server      string // configured name
	Page        string // the sign-in page, if this client must still be registered there; else ""
	RedirectURL string // as configured; "" selects a loopback address
	Port        int    // of the loopback address; 0 is any free port
}

// Login is one sign-in.
type Login interface {
	// RedirectURL is the address to which the authorization server sends the browser
	// back.
	RedirectURL() string
	// Authorize shows the page to a person, and returns the query with which the
	// browser returns. Answers whose state is not the state of the page are ignored.
	Authorize(ctx context.Context, page string) (url.Values, error)
	// Close releases what Begin reserved.
	Close() error
}

// BrowserOptions are the settings of [Browser]. The zero value is usable.
type BrowserOptions struct {
	// Open opens a page. Nil starts the system's browser.
	Open func(page string) error
	// Out shows a person which server requests the sign-in and at which host, and the
	// address of the page in case that no browser opens. Nil prints nothing.
	Out io.Writer
	// In is where a person confirms with y that the page, which a server chose, is
	// opened. If nil, the page is opened without a question, for programs that ask in
	// Open.
	In io.Reader
	// Timeout bounds a sign-in. Zero is five minutes.
	Timeout time.Duration
}

// Browser opens a browser and waits for it to return to a loopback address.
func Browser(opts BrowserOptions) Flow {
	if opts.Open == nil {
		opts.Open = open
	}
	if opts.Out == nil {
		opts.Out = io.Discard
	}
	if opts.Timeout <= 0 {
		opts.Timeout = defaultLoginTime
	}
	return browserFlow{opts, newInput(opts.In)}
}

type browserFlow struct {
	opts BrowserOptions
	in   *input // of Options.In
}

// Begin implements [Flow].
func (f browserFlow) Begin(ctx context.Context, req Request) (Login, error) {
	asked := ""
	if f.opts.In != nil && req.Page != "" {
		host, err := hostOf(req.Page)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, f.opts.Timeout)
		defer cancel()
		if err := f.ask(ctx, req.Server, host); err != nil {
			return nil, errShown{err}
		}
		asked = host
	}
	address, path, redirect := "127.0.0.1:"+strconv.Itoa(req.Port), "/callback", ""
	if req.RedirectURL != "" {
		u, err := url.Parse(req.RedirectURL)
		if err != nil || u.Scheme != "http" || !loopback.Is(u.Hostname()) {
			return nil, hint.New("the redirect url is not on this machine, so no browser can return to this program",
				"write a redirect url such as http://127.0.0.1:7777/callback")
		}
		port := u.Port()
		if port == "" {
			port = "80"
		}
		address, path, redirect = net.JoinHostPort(u.Hostname(), port), u.Path, req.RedirectURL
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, hint.With(fmt.Errorf("mcpgen cannot listen for the browser's return: %w", err), "choose another port")
	}
	if redirect == "" {
		redirect = "http://" + l.Addr().String() + path
	}
	login := &browserLogin{
		flow: f, server: req.Server, asked: asked, redirect: redirect, path: path,
		listener: l, answers: make(chan url.Values, 1),
	}
	login.http = &http.Server{
		Handler: login, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return login, nil
}

type browserLogin struct {
	flow     browserFlow
	server   string
	asked    string // the host that a person has confirmed; "" if none
	redirect string
	path     string
	listener net.Listener
	http     *http.Server
	state    string // of the page; set before the server runs
	answers  chan url.Values
}

// RedirectURL implements [Login].
func (l *browserLogin) RedirectURL() string { return l.redirect }

// Authorize implements [Login].
func (l *browserLogin) Authorize(ctx context.Context, page string) (url.Values, error) {
	host, state, err := parsePage(page)
	if err != nil {
		return nil, err
	}
	l.state = state
	ctx, cancel := context.WithTimeout(ctx, l.flow.opts.Timeout)
	defer cancel()
	if l.flow.opts.In != nil && l.asked != host {
		if err := l.flow.ask(ctx, l.server, host); err != nil {
			return nil, err
		}
	}
	go l.http.Serve(l.listener) //nolint:errcheck // Close ends it
	name := safetext.Words(l.server, 100)
	fmt.Fprintf(l.flow.opts.Out, "%s: sign in with your browser. If it does not open, go to\n  %s\n", name, page)
	if err := l.flow.opts.Open(page); err != nil {
		why := safetext.Words(err.Error(), 200)
		fmt.Fprintf(l.flow.opts.Out, "%s: no browser could be started: %s\n", name, why)
	}
	select {
	case answer := <-l.answers:
		return answer, nil
	case <-ctx.Done():
		return nil, late(ctx, l.flow.opts.Timeout)
	}
}

// ask waits until a person confirms. An empty line does not confirm, since it may
// have been typed before the question.
func (f browserFlow) ask(ctx context.Context, server, host string) error {
	fmt.Fprintf(f.opts.Out, "%s: wants you to sign in at %s: open it in your browser? [y/N] ",
		safetext.Words(server, 100), host)
	text, err := f.in.line(ctx)
	switch {
	case ctx.Err() != nil:
		return late(ctx, f.opts.Timeout)
	case err != nil:
		return hint.New("the input ended before y was typed, so mcpgen opened no page", "begin again")
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "y", "yes":
		return nil
	}
	return hint.New("the answer was not y, so mcpgen opened no page", "begin again")
}

func late(ctx context.Context, d time.Duration) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return hint.With(fmt.Errorf("no sign-in within %v: %w", d, ctx.Err()), "begin again")
	}
	return fmt.Errorf("the sign-in was interrupted: %w", ctx.Err())
}

// ServeHTTP handles the return of the browser. Any page in the browser can send a
// request here, so only the answer with the state of this sign-in is used.
func (l *browserLogin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	query := r.URL.Query()
	switch {
	case r.Method != http.MethodGet || r.URL.Path != l.path:
		w.WriteHeader(http.StatusNotFound)
	case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(l.state)) != 1:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, "This is not the answer to the pending sign-in.")
	case query.Get("error") != "":
		l.take(query)
		fmt.Fprintf(w, "The sign-in was refused: %s. You can close this page.", html.EscapeString(query.Get("error")))
	default:
		l.take(query)
		fmt.Fprint(w, "You are signed in. You can close this page.")
	}
}

func (l *browserLogin) take(query url.Values) {
	select {
	case l.answers <- query:
	default: // a page that was reloaded
	}
}

// Close implements [Login]. It still delivers the final page.
func (l *browserLogin) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = l.http.Shutdown(ctx)
	_ = l.listener.Close() // never served if the page was not shown
	return l.http.Close()
}

// Paste prints the address of the page to out, and reads from in the address to which
// the browser returns, which a person copies. It is for machines without a browser.
func Paste(out io.Writer, in io.Reader) Flow {
	return &pasteFlow{out: out, turn: make(chan struct{}, 1), in: newInput(in)}
}

// pasteFlow reads one input for all sign-ins, so that they run one at a time.
type pasteFlow struct {
	out  io.Writer
	turn chan struct{} // holds one
	in   *input
}

// Begin implements [Flow].
func (f *pasteFlow) Begin(ctx context.Context, req Request) (Login, error) {
	select {
	case f.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	redirect := req.RedirectURL
	switch {
	case redirect == "" && req.Port != 0:
		redirect = "http://127.0.0.1:" + strconv.Itoa(req.Port) + "/callback"
	case redirect == "":
		redirect = "http://127.0.0.1/callback"
	}
	return &pasteLogin{flow: f, server: req.Server, redirect: redirect}, nil
}

type pasteLogin struct {
	flow             *pasteFlow
	server, redirect string
	closing          sync.Once
}

// RedirectURL implements [Login].
func (l *pasteLogin) RedirectURL() string { return l.redirect }

// Close implements [Login].
func (l *pasteLogin) Close() error {
	l.closing.Do(func() { <-l.flow.turn })
	return nil
}

// Authorize implements [Login]. It asks again after a line that is not the answer.
func (l *pasteLogin) Authorize(ctx context.Context, page string) (url.Values, error) {
	_, state, err := parsePage(page)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, defaultLoginTime)
	defer cancel()
	out := l.flow.out
	fmt.Fprintf(out, "%s: sign in with a browser, at\n  %s\n"+
		"The browser then goes to an address that begins with %s, which may not answer.\n"+
		"Paste that address here: ", safetext.Words(l.server, 100), page, l.redirect)
	for {
		line, err := l.flow.in.line(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, late(ctx, defaultLoginTime)
		case err != nil:
			return nil, hint.New("the input ended before the address was pasted", "begin again")
		}
		answer, err := parseAnswer(line, state)
		if err == nil {
			return answer, nil
		}
		fmt.Fprintf(out, "%v. Paste the whole address: ", err)
	}
}

// parseAnswer parses the address to which a browser returned.
func parseAnswer(line, state string) (url.Values, error) {
	u, err := url.Parse(strings.TrimSpace(line))
	if err != nil || u.RawQuery == "" {
		return nil, errors.New("this address has no answer from the sign-in page")
	}
	query := u.Query()
	if query.Get("state") != state {
		return nil, errors.New("this address belongs to another sign-in")
	}
	return query, nil
}

// maxHost bounds the host of a page with its port, in bytes: a name has at most 253.
// A person has to see the whole host.
const maxHost = 260

// maxPage bounds the address of a page, in bytes: operating systems bound the
// arguments of a program.
const maxPage = 32 << 10

// hostOf returns the host of a page, fit for a terminal. It refuses pages that no
// browser should open.
func hostOf(page string) (string, error) {
	if len(page) > maxPage {
		err := fmt.Errorf("the address of the authorization server's page has %d bytes, more than %d", len(page), maxPage)
		return "", hint.With(err, "ask the operator of the authorization server")
	}
	u, err := url.Parse(page)
	if err != nil || u.Hostname() == "" || len(u.Host) > maxHost ||
		u.Scheme != "https" && (u.Scheme != "http" || !loopback.Is(u.Hostname())) {
		return "", fmt.Errorf("mcpgen does not open the authorization server's page %q, because it is not https",
			safetext.Words(page, 200))
	}
	return plainAddress(u.Host), nil
}

// parsePage returns the host, as hostOf does, and the state of the page.
func parsePage(page string) (host, state string, err error) {
	if host, err = hostOf(page); err != nil {
		return "", "", err
	}
	if u, err := url.Parse(page); err == nil {
		state = u.Query().Get("state")
	}
	if state == "" {
		return "", "", errors.New("the address of the authorization server's page has no state")
	}
	return host, state, nil
}
