// The rules as plain data: what configuration files are read into.

package policy

import (
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/naming"
)

// A Mode decides about requests that no rule matches. What a rule
// denies is denied in every mode: where the system of a file skips its gate, as
// core-agent does in mode yolo, its rules that deny are left out when it is read.
type Mode string

// The modes.
const (
	Enforce Mode = "enforce" // denied; the default
	Ask     Mode = "ask"     // a person decides; without a [Prompter] denied
	Yolo    Mode = "yolo"    // allowed
)

// ParseMode reads a mode. Empty is [Enforce], and so is "allow", the word of
// core-agent's files for it. The error names the modes.
func ParseMode(text string) (Mode, error) {
	switch m := Mode(text); m {
	case Enforce, Ask, Yolo:
		return m, nil
	case "", "allow":
		return Enforce, nil
	}
	return "", hint.With(fmt.Errorf("policy: unknown mode %q", text), "write enforce, ask or yolo")
}

// Config is a policy as it is written, in whatever file. The zero value denies
// everything and allows no secret.
type Config struct {
	Mode  Mode     // empty is [Enforce]
	Allow []string // rules, see the package comment
	Deny  []string // rules; they beat Allow

	// Callers are the rules about those on whose behalf calls are made, beside Allow and
	// Deny, which are about all of them.
	Callers []CallerRules

	// Denied says whether models are shown what they may not call. Empty is [Hidden].
	Denied Showing

	// Grants allow what they say in addition to Allow. They are how scoped
	// permissions are written in files.
	Grants []Grant

	// Secrets say which secrets may be put into the environment of which
	// server.
	Secrets []SecretRule

	// GrantFiles are the files of servers for which grants are kept apart, by the
	// server's name: that of the agent manifest which defines it. A stored grant
	// counts for a server only if the file of both is the same, and a server that is
	// not in here has "". Nil: every stored grant counts for every server.
	GrantFiles map[string]string

	// MCP is what the flag --mcp has to name so that a command finds this
	// configuration; "" is a project with an mcpgen.yaml. Errors and explanations
	// put it into the commands that they name.
	MCP string

	// Grammar is the one that errors and questions name rules in, where it has one for a
	// request; "" is [GrammarOwn]. Rules that count for one file alone, see GrantFiles, are
	// named in that.
	Grammar Grammar

	// Servers are the names of the configured servers. They are optional; with
	// them rules that could mean two servers are resolved or refused.
	Servers []string

	// Naming is how tools are called where a person is asked about one: rules are
	// not about these names. Empty is [naming.DoubleUnderscore].
	Naming naming.Scheme

	// Foreign skips rules about things that are not tools of MCP servers, such
	// as bash:git * or fs.read:/home/**. It is for the rule lists of other
	// systems, which hold rules of all kinds; [Policy.Skipped] has those that
	// were skipped. Without it they are errors, since a misspelled rule looks
	// the same.
	Foreign bool
}

// A Showing says whether models are shown what they may not call. What a person is asked
// about, in mode [Ask], is always shown.
type Showing string

// The ways.
const (
	Hidden  Showing = "hidden" // no; the default
	Visible Showing = "visible"
)

// LocalCaller is the caller that the user of this machine is: the program itself, a client
// in it or that started it, and one with the token of the user.
const LocalCaller = "local"

// CallerRules are the rules for some callers ([runtime.Options.Caller]). The tags are their
// keys in an mcpgen.yaml, and the schema of them.
type CallerRules struct {
	// Caller is a pattern for names of callers: a * at the end takes everything, else
	// it is one of path.Match. The program itself is [LocalCaller].
	Caller string   `json:"caller" jsonschema:"required" jsonschema_description:"The name of a caller, or a pattern: that of --caller, the subject of a token, or local."`
	Allow  []string `json:"allow,omitempty" jsonschema_description:"Rules for these callers, in addition to policy.allow."`
	Deny   []string `json:"deny,omitempty" jsonschema_description:"Rules for these callers, in addition to policy.deny."`
	Limits []Limit  `json:"limits,omitempty" jsonschema_description:"How much each of these callers may call. All limits have to be kept."`
}

// A Limit bounds calls that are allowed: of tools, prompts, resources and completions.
// What is beyond it is denied. The tags are as those of [CallerRules].
type Limit struct {
	Rule       string `json:"rule,omitempty" jsonschema_description:"Which calls it counts: a rule of the forms of allow. By default all."`
	Per        string `json:"per,omitempty" jsonschema:"enum=caller,enum=tool,enum=both,default=caller" jsonschema_description:"What counts together: the calls of one caller, those of one tool by all of these callers, or those of one tool by one caller."`
	Rate       string `json:"rate,omitempty" jsonschema_description:"How many calls in which time, such as 60/1m."`
	Concurrent int    `json:"concurrent,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many calls at the same time."`
}

// A SecretRule allows a server a secret. All of its conditions have to hold. The tags are
// its keys in an mcpgen.yaml, and the schema of them.
type SecretRule struct {
	// Label is the purpose of the rule; it is shown, and has no effect.
	Label string `json:"label,omitempty" jsonschema_description:"What the rule is for."`
	// Secret is a pattern for names of secrets: a * at the end takes
	// everything, else it is one of path.Match.
	Secret string `json:"secret" jsonschema:"required" jsonschema_description:"The secret's name, or a pattern."`
	// Tool is "*" for every server, or a rule that takes in every tool of the
	// server, such as mcp.github.*. A secret is resolved when a server is
	// started, not for each call, so a rule about some of its tools allows
	// nothing.
	Tool string `json:"tool" jsonschema:"required" jsonschema_description:"* for every server, or all tools of one: mcp.github.*"`
	// Until is when the rule ends. Zero is never. It is not a key of mcpgen.yaml.
	Until time.Time `json:"until,omitzero" jsonschema:"-"`
}

// A Grant is a permission in addition to the configuration's: by a person
// who was asked, or with a command. It holds a rule or a secret, never both.
type Grant struct {
	// Rule is the allowed request, in one of the forms of rules.
	Rule string `json:"rule,omitempty"`
	// Caller is a pattern for the callers that it is for, as in [CallerRules]; "" is all.
	Caller string `json:"caller,omitempty"`
	// Scope narrows the rule to calls with certain arguments. Nil is any.
	Scope *Scope `json:"scope,omitempty"`
	// Secret allows a secret in place of a rule.
	Secret *SecretRule `json:"secret,omitempty"`
	// File is the agent manifest for whose servers alone the grant was given, see
	// [Config.GrantFiles]; "" is the project.
	File string `json:"file,omitempty"`

	Time time.Time `json:"time,omitzero"` // when it was given
	By   string    `json:"by,omitempty"`  // who gave it, as far as that is known
}
