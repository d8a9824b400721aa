// The launch of a server: how it is started or reached.

package endpoint

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
)

// Launch is how a server is started or reached: a [*Process] or an [*Address]. A new kind is a type with
// these methods, and a new parameter of [ByLaunch], so that the compiler reports every place that must
// handle it.
type Launch interface {
	validate(fail func(format string, args ...any))
	resolve(x *expander) Launch // returns the expanded launch; errors are added to x
}

// ByLaunch returns the result of the function for the kind of launch, or the zero value for a nil launch.
func ByLaunch[T any](l Launch, process func(*Process) T, address func(*Address) T) (made T) {
	switch l := l.(type) {
	case *Process:
		made = process(l)
	case *Address:
		made = address(l)
	}
	return made
}

// Transport is the transport for messages to a server.
type Transport string

// The transports. Auto tries streamable HTTP, then SSE.
const (
	Auto  Transport = ""
	Stdio Transport = "stdio"
	HTTP  Transport = "http" // streamable HTTP
	SSE   Transport = "sse"  // HTTP with server-sent events, protocol 2024-11-05
)

// EffectiveTransport returns the transport that is tried first. After HTTP fails, [SSE] is only tried if
// the address has [Auto]. A server without a launch has no transport.
func (s Server) EffectiveTransport() Transport {
	return ByLaunch(s.Launch, func(*Process) Transport { return Stdio },
		func(a *Address) Transport { return cmp.Or(a.Transport, HTTP) })
}

// Text is one text of a launch that may hold variables.
type Text struct {
	Field Field
	Name  string  // of a variable or header; "" for others
	Index int     // index of an argument; 0 for others
	Value *string // in the launch
	What  string  // describes it in errors
	name  *string // of a header; the header is not sent if the name is ""
}

// Texts returns all texts of the launch, including empty ones. The command or URL comes first.
func (s Server) Texts() []Text { return ByLaunch(s.Launch, (*Process).texts, (*Address).texts) }

// Process is a [Launch]: a program that is started. In a [Resolved] the texts are expanded, a command
// relative to Dir is absolute, and Env is the complete environment.
type Process struct {
	Command string   // program; relative paths with a separator are relative to Dir
	Args    []string // arguments, never given to a shell
	Dir     string   // working directory; "" is that of this program
	Env     []Var    // set in addition to inherited variables, in order
	Inherit Inherit
	EnvFile string // file with more variables, set before Env; relative to Dir; "" means none

	Locked  bool     // only bytes in the lock are run, also for dependencies
	Scripts []string // npm packages whose install scripts run nevertheless; requires Locked
}

// Environ returns Env as KEY=VALUE.
func (p *Process) Environ() []string {
	entries := make([]string, len(p.Env))
	for i, v := range p.Env {
		entries[i] = v.Name + "=" + v.Value
	}
	return entries
}

// Variable returns the value of a variable in Env, the last one if there are several; "" if it is not
// set.
func (p *Process) Variable(name string) string {
	for _, v := range slices.Backward(p.Env) {
		if sameName(runtime.GOOS, v.Name, name) {
			return v.Value
		}
	}
	return ""
}

func (p *Process) texts() []Text {
	all := []Text{{Field: FieldCommand, What: "command", Value: &p.Command}}
	for i := range p.Args {
		all = append(all, Text{Field: FieldArg, What: fmt.Sprintf("args[%d]", i), Value: &p.Args[i], Index: i})
	}
	all = append(all, Text{Field: FieldEnvFile, What: "envFile", Value: &p.EnvFile})
	for i := range p.Env {
		v := &p.Env[i]
		all = append(all, Text{Field: FieldEnv, What: fmt.Sprintf("env %q", v.Name), Value: &v.Value, Name: v.Name})
	}
	return all
}

func (p *Process) validate(fail func(string, ...any)) {
	if p.Command == "" {
		fail("its command is empty")
	}
	if strings.ContainsRune(p.Dir, 0) {
		fail("working directory: a NUL byte")
	}
	name := func(key, name string) {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			fail("%s %q: not a name that a variable can have", key, name)
		}
	}
	for _, v := range p.Env {
		name("env", v.Name)
	}
	for _, v := range p.Inherit.Names {
		name("inherit_env", v)
	}
}

func (p *Process) resolve(x *expander) Launch {
	to := *p
	to.Args, to.Env = slices.Clone(p.Args), slices.Clone(p.Env)
	x.expandAll(to.texts())
	own := slices.Concat(x.envFile(p.Dir, to.EnvFile), to.Env)
	if len(x.errs) == 0 && to.Command == "" { // a text that failed to expand is empty, and already reported
		x.fail("command %q is empty after its variables were replaced", p.Command)
	}
	to.Env = environment(runtime.GOOS, p.Inherit, os.Environ(), x.lookup, own)
	// Otherwise it would depend on the system whether a relative path is relative to the working directory.
	if p.Dir != "" && !filepath.IsAbs(to.Command) && filepath.Base(to.Command) != to.Command {
		var err error
		if to.Command, err = filepath.Abs(filepath.Join(p.Dir, to.Command)); err != nil {
			x.fail("command %q: %w", p.Command, err)
		}
	}
	x.suspects = append(x.suspects, credentials.ArgCredentials(to.Args)...)
	x.suspectNamed(own)
	if p.Inherit.All {
		x.suspectInherited(to.Env)
	}
	return &to
}

// Address is a [Launch]: a URL to connect to. In a [Resolved] the texts are expanded.
type Address struct {
	Transport Transport // Auto, HTTP or SSE
	URL       string    // http or https, without user and password
	Headers   []Var     // in the order of the configuration
	Auth      Auth
}

func (a *Address) texts() []Text {
	all := []Text{{Field: FieldURL, What: "url", Value: &a.URL}}
	for i := range a.Headers {
		h := &a.Headers[i]
		all = append(all, Text{
			Field: FieldHeader, What: fmt.Sprintf("header %q", h.Name), Value: &h.Value, Name: h.Name, name: &h.Name,
		})
	}
	o := &a.Auth
	for _, text := range []Text{
		{What: "client id", Value: &o.ClientID}, {What: "client secret", Value: &o.ClientSecret},
		{What: "redirect url", Value: &o.RedirectURL}, {What: "metadata url", Value: &o.MetadataURL},
		{What: "authorization url", Value: &o.AuthorizationURL}, {What: "token url", Value: &o.TokenURL},
		{What: "issuer", Value: &o.Issuer}, {What: "audience of callers", Value: &o.Callers.Audience},
	} {
		text.Field, text.What = FieldAuth, "auth: "+text.What
		all = append(all, text)
	}
	return all
}

func (a *Address) validate(fail func(string, ...any)) {
	if !slices.Contains([]Transport{Auto, HTTP, SSE}, a.Transport) {
		fail("unknown transport %q of a url, want %s or %s", string(a.Transport), HTTP, SSE)
	}
	if a.URL == "" {
		fail("its url is empty")
	}
	for _, h := range a.Headers {
		if !IsToken(h.Name) {
			fail("header %q: not a name that a header can have", h.Name)
		}
		if strings.ContainsAny(h.Value, "\r\n\x00") {
			fail("header %q: its value has a line break or a NUL byte", h.Name)
		}
	}
	switch a.Auth.Kind {
	case AuthAuto, AuthNone, AuthOAuth, AuthClientCredentials:
	case AuthGoogle:
		if len(a.Auth.Scopes) == 0 {
			fail("auth: Google's credentials need at least one scope")
		}
	default:
		fail("unknown authorisation %q", string(a.Auth.Kind))
	}
	if how := a.Auth.Callers.Token; !slices.Contains([]CallerToken{"", TokenExchange, TokenPassThrough}, how) {
		fail("auth: Callers.Token is %q, which is unknown", string(how))
	}
}

func (a *Address) resolve(x *expander) Launch {
	to := *a
	to.Headers = slices.Clone(a.Headers)
	x.expandAll(to.texts())
	to.Headers = slices.DeleteFunc(to.Headers, func(h Var) bool { return h.Name == "" })
	if secret := to.Auth.ClientSecret; len(secret) >= credentials.Shortest {
		x.values, x.sure = append(x.values, secret), append(x.sure, secret)
	}
	if len(x.errs) == 0 { // a text that failed to expand is empty, and already reported
		for _, h := range to.Headers {
			if strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				x.fail(
					"header %q: its value, with its variables replaced, has a character that headers cannot hold, such as a line break",
					h.Name)
			}
		}
		if err := checkURL(a.URL, to.URL); err != nil {
			x.fail("%w", err)
		}
	}
	x.suspects = append(x.suspects, credentials.Credentials(to.URL)...)
	x.suspectNamed(to.Headers)
	for _, h := range to.Headers {
		x.suspects = append(x.suspects, credentials.WithoutScheme(h.Value)[1:]...)
	}
	return &to
}

// checkURL checks an expanded URL. Errors quote neither the URL nor errors of the parser, since both may
// hold a password.
func checkURL(written, expanded string) error {
	u, err := url.Parse(expanded)
	switch {
	case err != nil:
		return errors.New("url: not a valid URL")
	case u.User != nil:
		return errors.New("url: must not hold a user name or password, because logs show the url; headers can hold both")
	case u.Scheme == "http" || u.Scheme == "https":
		if u.Hostname() == "" {
			return errors.New("url: it names no host")
		}
		return nil
	case u.Scheme != "" && strings.HasPrefix(strings.ToLower(written), u.Scheme+":"):
		return fmt.Errorf("url: the scheme %q is not supported, want http or https", u.Scheme)
	}
	return errors.New("url: it has to begin with http:// or https://")
}

// tokenChars are the characters of a token.
const tokenChars = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// IsToken reports whether name is a token of RFC 9110, section 5.6.2, as the names of
// headers are.
func IsToken(name string) bool { return name != "" && strings.Trim(name, tokenChars) == "" }

// Validate checks what does not depend on variables: that the server has a name and a launch, and that no
// name or text holds characters that the system or HTTP forbids. [Server.Resolve] calls it. The error
// joins all problems, each with file, line and server.
func (s Server) Validate() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, s.errorf(format, args...)) }
	if s.Name == "" {
		fail("it has no name")
	}
	if strings.ContainsRune(s.Name, 0) {
		fail("name: a NUL byte")
	}
	for _, t := range s.Texts() {
		if t.Field != FieldHeader && strings.ContainsRune(*t.Value, 0) { // headers are checked by [Address]
			fail("%s: a NUL byte", t.What)
		}
	}
	if s.Launch == nil {
		fail("it has neither a command nor a url")
	} else {
		s.Launch.validate(fail)
	}
	if s.Protocol != "" && !slices.Contains(Revisions(), s.Protocol) {
		fail("unknown protocol %q, want one of %s", s.Protocol, strings.Join(Revisions(), ", "))
	}
	if p, ok := s.Launch.(*Process); ok && p.EnvFile != "" && s.LoadEnv == nil {
		fail("envFile: Server.LoadEnv must read the file, but is nil")
	}
	return errors.Join(errs...)
}

// errorf returns an error that begins with the server's place.
func (s Server) errorf(format string, args ...any) error {
	return fmt.Errorf("%sserver %q: %w", s.Source.Prefix(), s.Name, fmt.Errorf(format, args...))
}
