// Who the rules and limits for some callers apply to.

package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// callers are the callers of a rule or a limit. Nil is all.
type callers struct {
	name  *glob  // nil is any
	claim string // as in runtime.Options; "" is none
}

// match reports whether the caller of a target is one of these.
func (c *callers) match(t target) bool {
	return c == nil || (c.name == nil || c.name.match(t.caller)) && (c.claim == "" || slices.Contains(t.claims, c.claim))
}

// by describes callers with a claim, in reasons. Others are known by the caller's name.
func (c *callers) by() string {
	if c == nil || c.claim == "" {
		return ""
	}
	return " for callers with " + c.claim
}

// claimText returns a claim as in runtime.Options.
func claimText(name, value string) string { return name + "=" + value }

// callers parses who the rules apply to. The error begins with the key.
func (c CallerMatch) callers() (*callers, error) {
	out := new(callers)
	switch {
	case c.Claim == "" && c.Is != "":
		return nil, hint.New("claim: the name of the claim is missing", "write it, such as claim: groups")
	case strings.Contains(c.Claim, "="):
		return nil, hint.New(fmt.Sprintf("claim: the name %q has a =", c.Claim), "name another claim of the token")
	case c.Claim != "" && c.Is == "":
		return nil, hint.New("is: the value of the claim is missing", "write it, such as is: devs")
	case c.Claim != "":
		out.claim = claimText(c.Claim, c.Is)
	case c.Caller == "":
		return nil, hint.New("caller: the caller is empty", `for all callers, write "*"`)
	}
	if c.Caller != "" {
		g, err := parseGlob(c.Caller, true, '/')
		if err != nil {
			return nil, fmt.Errorf("caller: %w", err)
		}
		out.name = &g
	}
	return out, nil
}

// Check returns the error of invalid callers, or nil. It does not check the rules.
func (c CallerMatch) Check() error {
	_, err := c.callers()
	return err
}

// IsFor reports whether the rules apply to a caller with claims, which are as in
// [runtime.Options].
func (c CallerMatch) IsFor(caller string, claims ...string) bool {
	of, err := c.callers()
	return err == nil && of.match(target{caller: caller, claims: claims})
}

// Who describes the callers in words.
func (c CallerMatch) Who() string {
	if c.Claim == "" {
		return c.Caller
	}
	return cmp.Or(c.Caller, "callers") + " with " + claimText(c.Claim, c.Is)
}
