// Server texts for display: as written, without what looks like a secret.

package config

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/mcpgen/mcpgen/internal/credentials"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime/config/internal/texts"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// schemes matches the text before a credential in a header.
var schemes = regexp.MustCompile(`(?i)^(bearer|basic|token|apikey)?[\s:]*$`)

// credential matches a header value with a credential, whatever the header's name.
var credential = regexp.MustCompile(`(?i)^(bearer|basic|token|apikey)[\s:]+\S`)

// masker hides the secrets of one server.
type masker struct{ expand endpoint.Expander }

// literal returns the literal part of a text: all except its variables, but with their defaults.
func (m masker) literal(field endpoint.Field, text string) string {
	if m.expand == nil {
		return text
	}
	rest, err := m.expand(field, text, func(endpoint.Reference) (string, bool) { return "", true })
	if err != nil {
		return text
	}
	// An unset variable shows its default.
	known := func(r endpoint.Reference) (string, bool) { return "", r.Kind == endpoint.ReferenceKnown }
	if unset, err := m.expand(field, text, known); err == nil && len(unset) > len(rest) && unset != text {
		return unset
	}
	return rest
}

// maxMasked bounds the part of a text that is shown, in bytes.
const maxMasked = 4096

// named returns the value of a variable, header or parameter for display. If the name or the value looks
// secret, the value is masked, unless it only consists of variables and a scheme.
func (m masker) named(field endpoint.Field, name, value string) (string, bool) {
	value = safetext.Cut(value, maxMasked)
	rest := m.literal(field, value)
	if credentials.NamesSecret(name) && !schemes.MatchString(rest) || credentials.LooksRandom(rest) ||
		field == endpoint.FieldHeader && credential.MatchString(rest) {
		return maskText, true
	}
	return m.text(value)
}

// handle matches the handle of a secret.
var handle = regexp.MustCompile(`\{\{secret:[^{}]+\}\}`)

// withoutHandles removes the handles of secrets, which are not secret themselves, from a text whose
// syntax has handles. A handle whose name looks like a token stays.
func (m masker) withoutHandles(text string) string {
	if m.expand == nil {
		return text
	}
	return handle.ReplaceAllStringFunc(text, func(found string) string {
		if m.literal(endpoint.FieldEnv, found) != "" || credentials.Tokens(found[len("{{secret:"):]) != nil {
			return found
		}
		return " "
	})
}

// text masks all tokens in a text.
func (m masker) text(value string) (string, bool) {
	value = safetext.Cut(value, maxMasked)
	shown := value
	for _, token := range credentials.Tokens(m.withoutHandles(value)) {
		if m.literal(endpoint.FieldArg, token) != "" {
			shown = strings.ReplaceAll(shown, token, maskText)
		}
	}
	if strings.Contains(shown, "://") {
		shown = m.urls(shown)
	}
	return shown, shown != value
}

var urlText = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s'"<>]+`)

// urls masks passwords, parameters that look secret, and parts of a path that look like keys.
func (m masker) urls(text string) string {
	return urlText.ReplaceAllStringFunc(text, func(found string) string {
		head, rest, _ := strings.Cut(found, "://")
		place, query, hasQuery := strings.Cut(rest, "?")
		authority, path, hasPath := strings.Cut(place, "/")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 && m.literal(endpoint.FieldURL, authority[:at]) != "" {
			authority = maskText + authority[at:]
		}
		out := head + "://" + authority
		if hasPath {
			parts := strings.Split(path, "/")
			for i, part := range parts {
				if credentials.LooksRandom(part) {
					parts[i] = maskText
				}
			}
			out += "/" + strings.Join(parts, "/")
		}
		if hasQuery {
			out += "?" + m.query(query)
		}
		return out
	})
}

func (m masker) query(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil {
			plain = name
		}
		if !ok || value == "" {
			continue
		}
		if credentials.NamesSecret(plain) && m.literal(endpoint.FieldURL, value) != "" || credentials.LooksRandom(value) {
			pairs[i] = name + "=" + maskText
		}
	}
	return strings.Join(pairs, "&")
}

// args masks values of flags that look secret: --token=x, --token x, -e TOKEN=x, --header "Authorization:
// x".
func (m masker) args(args []string) ([]string, bool) {
	shown, masked := make([]string, len(args)), false
	secret := false // the previous flag says that this value is secret
	for i, arg := range args {
		hidden := false
		arg = safetext.Cut(arg, maxMasked)
		name, value, pair := strings.Cut(arg, "=")
		header, content, isHeader := strings.Cut(arg, ":")
		flag := strings.HasPrefix(arg, "-")
		switch {
		case secret && !flag:
			shown[i], hidden = m.named(endpoint.FieldArg, "SECRET", arg)
		case pair && isName(strings.TrimLeft(name, "-")):
			var v string
			v, hidden = m.named(endpoint.FieldArg, strings.TrimLeft(name, "-"), value)
			shown[i] = name + "=" + v
		case isHeader && isName(header) && !strings.HasPrefix(content, "//"): // not a URL
			value := strings.TrimLeft(content, " ")
			var v string
			v, hidden = m.named(endpoint.FieldArg, header, value)
			shown[i] = header + ":" + content[:len(content)-len(value)] + v
		default:
			shown[i], hidden = m.text(arg)
		}
		secret = flag && !pair && credentials.NamesSecret(strings.TrimLeft(arg, "-"))
		masked = masked || hidden
	}
	return shown, masked
}

func isName(text string) bool {
	foreign := func(r rune) bool { return !texts.IsAlnum(r) && r != '_' && r != '-' }
	return text != "" && !strings.ContainsFunc(text, foreign)
}

// Launch returns the command or address of a server on one line, as written: variables are not expanded,
// and what looks like a secret is masked.
func Launch(s endpoint.Server) string {
	m := masker{s.Expand}
	return endpoint.ByLaunch(s.Launch, func(p *endpoint.Process) string {
		args, _ := m.args(p.Args)
		command, _ := m.text(p.Command)
		return texts.Line(append([]string{command}, args...))
	}, func(a *endpoint.Address) string {
		text, _ := m.text(a.URL)
		return text
	})
}

// target returns the command of a server on one line, or the scheme and host of its URL.
func target(s *endpoint.Server) string {
	scheme, rest, ok := strings.Cut(flatten(s.Launch).URL, "://")
	if !ok {
		return Launch(*s)
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return masker{s.Expand}.urls(scheme + "://" + host)
}
