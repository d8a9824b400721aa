// The rules as plain data, for configuration files, and how they are read into a policy.

package policy

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// A Mode decides about requests that no rule matches. A rule that denies holds in
// every mode. Some systems skip their whole gate in a mode, as core-agent does in
// yolo; their denying rules are left out when their file is read.
type Mode string

// The modes.
const (
	Enforce Mode = "enforce" // they are denied; the default
	Ask     Mode = "ask"     // a person decides; without a [Prompter] they are denied
	Yolo    Mode = "yolo"    // they are allowed
)

// parseMode parses a mode. Empty is [Enforce], and so is "allow", the name of this
// mode in core-agent's files. The error lists the modes.
func parseMode(text string) (Mode, error) {
	switch m := Mode(text); m {
	case Enforce, Ask, Yolo:
		return m, nil
	case "", "allow":
		return Enforce, nil
	}
	return "", hint.With(fmt.Errorf("policy: unknown mode %q", text), `write "enforce", "ask" or "yolo"`)
}

// Config is a policy as written in any kind of file. The zero value denies everything
// and allows no secret.
type Config struct {
	Mode  Mode     // empty is [Enforce]
	Allow []string // rules, see the package comment
	Deny  []string // rules; they take precedence over Allow

	// Files are the rules of single files that allow something, in addition to Allow and
	// Secrets. Rules of files that deny are in Deny.
	Files []FileRules

	// Callers are the rules about single callers, in addition to Allow and Deny,
	// which apply to all callers.
	Callers []CallerRules

	// Profiles are parts of what the servers offer, by name.
	Profiles map[string]Profile

	// Denied says whether models are shown items that they may not call. Empty is
	// [Hidden].
	Denied Showing

	// Grants are permissions in addition to Allow. Files contain scoped permissions
	// in this form.
	Grants []Grant

	// Secrets say which secrets may be put into the environment of which server.
	Secrets []SecretRule

	// GrantFiles maps a server's name to the agent manifest that defines the server,
	// if grants for that file are kept separately. A stored grant applies to a server
	// only if both have the same file; a server that is not in the map has "". If
	// nil, every stored grant applies to every server.
	GrantFiles map[string]string

	// MCP is the value of the flag --mcp by which a command finds this configuration;
	// "" is a project with an mcpgen.yaml. Errors and explanations add it to the
	// commands that they suggest.
	MCP string

	// AllowIn is where a rule that allows is added, such as "permissions.allow in
	// .agents/config.json". Errors suggest it. "" is policy.allow; with Foreign, "" means
	// that rules are only granted.
	AllowIn string

	// Grammar is the grammar of rules in errors and questions, if it can express the
	// request; "" is [GrammarOwn]. Rules that apply to one file alone, see
	// GrantFiles, are written in the own grammar.
	Grammar Grammar

	// Servers are the names of the configured servers. They are optional; if they are
	// given, rules that could refer to two servers are resolved or refused.
	Servers []string

	// Naming is the naming scheme of tools in questions to a person; rules do not use
	// these names. Empty is [naming.DoubleUnderscore].
	Naming naming.Scheme

	// Foreign skips rules about things that are not tools of MCP servers, such as
	// bash:git * or fs.read:/home/**. It is for rule lists of other systems, which
	// have rules of all kinds; [Policy.Skipped] returns the skipped rules. Without
	// Foreign they are errors, since a misspelled rule looks the same.
	Foreign bool
}

// A Showing says whether models are shown items that they may not call. Items that a
// person is asked about, in mode [Ask], are always shown.
type Showing string

// The values.
const (
	Hidden  Showing = "hidden" // no; the default
	Visible Showing = "visible"
)

// localCaller is the caller name of this machine's user: the program itself, a client
// in its process, the client that started it, and a client with the user's token.
const localCaller = "local"

// FileRules are the rules in one file, or in the files of one system. They allow only
// the servers that the file defines, and built-in tools.
type FileRules struct {
	Servers []string     `json:"servers"` // the names of these servers
	Allow   []string     `json:"allow,omitempty"`
	Secrets []SecretRule `json:"secrets,omitempty"`
}

// A CallerMatch is some callers: those with a name, with a claim, or with both. The struct
// tags define the keys in an mcpgen.yaml, and their schema.
type CallerMatch struct {
	// Caller is a pattern for names of callers ([runtime.Options.Caller]), in the syntax
	// of path.Match, except that a * at the end matches any rest. The program itself is
	// local.
	Caller string `json:"caller,omitempty" jsonschema_description:"The name of a caller, or a pattern. The name comes from --caller, or is the subject of a token. The name \"local\" is your own program. An entry has this key, the key \"claim\" or both."`
	// Claim and Is are the name and the value of a claim ([runtime.Options.Claims]).
	Claim string `json:"claim,omitempty" jsonschema_description:"The name of a claim in a caller's verified token, such as groups, or a path such as realm_access.roles. Its value is a text or a list of texts. The claims scope and scp are lists of their words."`
	Is    string `json:"is,omitempty" jsonschema_description:"The entry applies to callers whose claim is exactly this text, or a list that contains it."`
}

// CallerRules are the rules for some callers. All entries that match a caller apply to it.
// The struct tags are as in [CallerMatch].
type CallerRules struct {
	CallerMatch
	Allow  []string `json:"allow,omitempty" jsonschema_description:"Rules for these callers, in addition to policy.allow."`
	Deny   []string `json:"deny,omitempty" jsonschema_description:"Rules for these callers, in addition to policy.deny."`
	Limits []Limit  `json:"limits,omitempty" jsonschema_description:"How often each of these callers may call. A call must stay within all limits."`
}

// A Limit bounds allowed calls: of tools, prompts, resources and completions. Calls
// beyond it are denied. The struct tags are as in [CallerRules].
type Limit struct {
	Rule       string `json:"rule,omitempty" jsonschema_description:"A rule, written like those in \"allow\": only calls that match it count. By default, all calls count."`
	Per        string `json:"per,omitempty" jsonschema:"enum=caller,enum=tool,enum=both,default=caller" jsonschema_description:"How the limit counts calls. With \"caller\", per caller. With \"tool\", per tool, for all of these callers together. With \"both\", per caller and tool."`
	Rate       string `json:"rate,omitempty" jsonschema_description:"The largest number of calls in a time: 60/1m means 60 calls a minute."`
	Concurrent int    `json:"concurrent,omitempty" jsonschema:"minimum=1" jsonschema_description:"The largest number of calls at the same time."`
}

// A SecretRule allows a server a secret. All of its conditions must hold. The struct
// tags define the keys in an mcpgen.yaml, and their schema.
type SecretRule struct {
	// Label is the purpose of the rule; it is only shown.
	Label string `json:"label,omitempty" jsonschema_description:"What the rule is for."`
	// Secret is a pattern for names of secrets, in the syntax of path.Match, except
	// that a * at the end matches any rest.
	Secret string `json:"secret" jsonschema:"required" jsonschema_description:"The secret's name, or a pattern."`
	// Tool is "*" for every server, or a rule that matches every tool of the server,
	// such as mcp.github.*. A secret is looked up when a server is started, not for
	// each call, so a rule about some of the tools allows no secret.
	Tool string `json:"tool" jsonschema:"required" jsonschema_description:"The server that gets the secret, as a pattern for all its tools, such as mcp.github.*. A * alone means every server."`
	// Until is when the rule expires. Zero is never. It is not a key of mcpgen.yaml.
	Until time.Time `json:"until,omitzero" jsonschema:"-"`
}

// A Grant is a permission in addition to the configuration, which a person gave in
// answer to a question or with a command. It has a rule or a secret, never both.
type Grant struct {
	// Rule is the allowed request, in one of the forms of rules.
	Rule string `json:"rule,omitempty"`
	// Caller is a pattern for the callers of the grant, as in [CallerRules]; "" is
	// all callers.
	Caller string `json:"caller,omitempty"`
	// Scope narrows the rule to calls with certain arguments. Nil allows any.
	Scope *Scope `json:"scope,omitempty"`
	// Secret allows a secret, instead of Rule.
	Secret *SecretRule `json:"secret,omitempty"`
	// File is the agent manifest to whose servers the grant is limited, see
	// [Config.GrantFiles]; "" is the project.
	File string `json:"file,omitempty"`

	Time time.Time `json:"time,omitzero"` // when it was given
	By   string    `json:"by,omitempty"`  // who gave it, if known
}

// parser reads the rules of a configuration into its policy.
type parser struct {
	*Policy
	foreign bool           // Config.Foreign
	places  map[string]int // number of rules read from each list
}

// rules parses the rules about some callers; nil is every caller. At is the position of
// their lists. Indexes continue after earlier rules.
func (p parser) rules(deny, allow []string, by *callers, at string) error {
	var errs []error
	for i, text := range deny {
		r, ok, err := p.rule(text)
		r.at, r.callers = p.place("deny"), by
		if errs = append(errs, within(err, at+"deny[%d]", i)); ok {
			p.deny = append(p.deny, r)
		}
	}
	return errors.Join(append(errs, p.allowing(allow, p.servers, by, nil, at+"allow[%d]"))...)
}

// allowing parses rules that allow. Of two servers that a rule could refer to, it refers
// to one of own. At formats the position of a rule in errors; "" leaves it out.
func (p parser) allowing(texts []string, own names, by *callers, of serverSet, at string) error {
	var errs []error
	for i, text := range texts {
		r, ok, err := p.rule(text)
		if err == nil && ok {
			r, err = own.resolveOwner(r)
		}
		r.at, r.callers = p.place("allow"), by
		if err == nil && ok {
			p.allow = append(p.allow, permission{rule: r, of: of})
		}
		if at != "" {
			err = within(err, at, i)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// callerRules parses the rules and limits of some callers.
func (p parser) callerRules(c CallerRules, at string) error {
	by, err := c.callers()
	if err != nil {
		return fmt.Errorf("policy: %s%w", at, err)
	}
	errs := []error{p.rules(c.Deny, c.Allow, by, at)}
	for i, l := range c.Limits {
		read, err := readLimit(l, by)
		if errs = append(errs, within(err, at+"limits[%d]", i)); err == nil {
			p.limits.all = append(p.limits.all, read)
		}
	}
	return errors.Join(errs...)
}

// fileRules parses the rules of a file.
func (p parser) fileRules(f FileRules) error {
	own := namesOf(f.Servers)
	of := func(server string) bool { return server == "" || slices.Contains(own, server) }
	errs := []error{p.allowing(f.Allow, own, nil, of, "")}
	for _, s := range f.Secrets {
		errs = append(errs, p.allowSecret(s, own, of))
	}
	return errors.Join(errs...)
}

// rule parses a rule. It returns false for a skipped rule.
func (p parser) rule(text string) (rule, bool, error) {
	r, err := parseRule(text)
	var other *foreignRule
	if errors.As(err, &other) && (p.foreign || other.known) {
		p.skipped = append(p.skipped, text)
		return rule{}, false, nil
	}
	return r, err == nil, err
}

// place returns the position of the next rule of a list.
func (p parser) place(list string) Place {
	at := Place{List: list, Index: p.places[list]}
	p.places[list]++
	return at
}

// within adds the position in the policy to an error.
func within(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("policy: "+format+": %w", append(args, err)...)
}
