// Profiles: named parts of what the servers offer.

package policy

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/mcpgen/mcpgen/internal/hint"
)

// A Profile is a part of what the servers offer. A request of a profile
// ([runtime.Options.Profile]) is denied, and not listed, if its subject is not in the
// profile; the other rules decide about the rest. So a profile never allows more. The
// struct tags define the keys in an mcpgen.yaml, and their schema.
type Profile struct {
	Servers []string `json:"servers,omitempty" jsonschema_description:"Names of servers. By default all."`
	// Include and Exclude are rules, see the package comment.
	Include []string `json:"include,omitempty" jsonschema_description:"Rules of the forms of policy.allow, such as tool:github/list_* or prompt:github/*. By default the profile has all items of the servers. With this key, it has only the items that match a rule."`
	Exclude []string `json:"exclude,omitempty" jsonschema_description:"Rules for items that the profile does not have, of the same forms as in \"include\". This key wins over \"include\"."`
	// Callers are who may use the profile. Nil is everyone.
	Callers []CallerMatch `json:"callers,omitempty" jsonschema_description:"Who may use the profile. By default everyone. An empty list is nobody."`
}

// IsFor reports whether a caller with claims, which are as in [runtime.Options], may use
// the profile. "" is the program itself.
func (p Profile) IsFor(caller string, claims ...string) bool {
	caller = cmp.Or(caller, localCaller)
	isFor := func(m CallerMatch) bool { return m.IsFor(caller, claims...) }
	return p.Callers == nil || slices.ContainsFunc(p.Callers, isFor)
}

// profile is a parsed Profile.
type profile struct {
	servers          []string   // nil: all
	callers          []*callers // nil: all
	include, exclude []rule     // include nil: everything
}

// profiles are the profiles of a policy, by name.
type profiles map[string]*profile

// profileName matches the names of profiles, which are part of addresses.
var profileName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckProfileName returns the error of an invalid name of a profile, or nil.
func CheckProfileName(name string) error {
	if !profileName.MatchString(name) {
		return hint.With(fmt.Errorf("%q is not the name of a profile", name), "write up to 64 letters, digits, - and _")
	}
	return nil
}

// parseProfile parses a profile of these servers.
func parseProfile(name string, of Profile, servers names) (*profile, error) {
	if err := CheckProfileName(name); err != nil {
		return nil, within(err, "profiles")
	}
	out := &profile{servers: of.Servers}
	for _, list := range []struct {
		key   string
		texts []string
		into  *[]rule
	}{{"include", of.Include, &out.include}, {"exclude", of.Exclude, &out.exclude}} {
		for i, text := range list.texts {
			r, err := parseRule(text)
			if err == nil && list.into == &out.include {
				r, err = servers.resolveOwner(r)
			}
			if err != nil {
				return nil, within(err, "profiles.%s.%s[%d]", name, list.key, i)
			}
			*list.into = append(*list.into, r)
		}
	}
	if of.Callers != nil {
		out.callers = []*callers{}
	}
	for i, m := range of.Callers {
		who, err := m.callers()
		if err != nil {
			return nil, within(err, "profiles.%s.callers[%d]", name, i)
		}
		out.callers = append(out.callers, who)
	}
	return out, nil
}

// outside returns why a target is not in its profile; "" if it is, or without a
// profile.
func (p profiles) outside(t target) string {
	if t.profile == "" {
		return ""
	}
	of := p[t.profile]
	switch {
	case of == nil:
		return fmt.Sprintf("there is no profile %q", t.profile)
	case of.callers != nil && !slices.ContainsFunc(of.callers, func(c *callers) bool { return c.match(t) }):
		return fmt.Sprintf("the profile %q is not for this caller", t.profile)
	case of.servers != nil && !slices.Contains(of.servers, t.server):
		return fmt.Sprintf("the profile %q does not include the server", t.profile)
	}
	if len(of.exclude) > 0 {
		names := t.equivalentNames()
		if i := slices.IndexFunc(of.exclude, func(r rule) bool { return r.denies(names) }); i >= 0 {
			return fmt.Sprintf("%s excludes this item from the profile %q", of.exclude[i].quoted, t.profile)
		}
	}
	if of.include != nil && !slices.ContainsFunc(of.include, func(r rule) bool { return r.allows(t) }) {
		return fmt.Sprintf("no rule includes this item in the profile %q", t.profile)
	}
	return ""
}
