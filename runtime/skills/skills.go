// Package skills reads the skills that servers offer (the protocol's Skills
// extension, SEP-2640): folders of files whose SKILL.md instructs a model how to do
// some work. A skill is a foreign text that instructs your model, so only reviewed
// files are read: the generated code has locked the files of each skill, with a
// digest of each.
//
//	set, err := skills.New(host, mcp.Manifests()...)
//	for _, s := range set.All() { … }                      // name and description, for a prompt
//	skill, err := set.ReadSkill(ctx, "docs", "skill://pdf-processing/SKILL.md")
//	skill.Prompt()                                         // for the model, with where it comes from
//	form, err := skill.ReadFile(ctx, "references/FORMS.md")
//
// Nothing is fetched before it is requested. Digests come from the same server as the
// files: they prove that a skill is the accepted one, not that it is good. What a
// skill requests, such as the allowed-tools of its frontmatter, grants nothing; calls
// that a model makes because of it pass the same gate as all others.
package skills

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/internal/ruleid"
	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/protocol"
	"github.com/mcpgen/mcpgen/schema/extension"
)

// Skill is a locked skill. Server and URI identify it. Names are only labels, which
// several skills may share.
type Skill struct {
	Server string // configured name
	extension.Skill
}

// Set holds the locked skills of some servers. It is safe for concurrent use.
type Set struct {
	inv    runtime.Invoker
	skills []Skill // by server and URI
}

// New returns the skills in the manifests of generated packages. They are read
// through inv, such as a host; if inv is nil, reads use the invoker in their context,
// or the default set by [runtime.SetDefault]. The error is for an unreadable
// snapshot, or one with a skill that hosts must not load.
func New(inv runtime.Invoker, manifests ...*codec.Manifest) (*Set, error) {
	set := &Set{inv: inv}
	var errs []error
	for _, m := range manifests {
		if m == nil {
			continue
		}
		var snapshot struct {
			Skills []json.RawMessage `json:"skills"`
		}
		if err := json.Unmarshal([]byte(m.Snapshot()), &snapshot); err != nil {
			errs = append(errs, hint.With(fmt.Errorf("%s: the embedded snapshot: %w", m.Server(), err), "run mcpgen generate"))
		}
		for _, raw := range snapshot.Skills {
			s, err := extension.ParseSkill(raw)
			if err != nil {
				errs = append(errs, hint.With(fmt.Errorf("%s: a skill of the embedded snapshot: %w", m.Server(), err), "run mcpgen update "+m.Server()))
				continue
			}
			set.skills = append(set.skills, Skill{Server: m.Server(), Skill: s})
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(set.skills, func(a, b Skill) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.URI, b.URI))
	})
	return set, nil
}

// All returns the skills, sorted by server and URI. Their descriptions are the
// servers' texts, as they were accepted.
func (s *Set) All() []Skill { return slices.Clone(s.skills) }

// Loaded is a skill whose SKILL.md was read and equals the locked one. Its other
// files are read from the same server, and must equal the locked ones.
type Loaded struct {
	Skill
	Text string // of SKILL.md, as it was accepted
	inv  runtime.Invoker
}

// ReadSkill reads the SKILL.md of a skill, given the configured name of its server
// and its URI. It refuses a skill that is not in the manifests, a skill whose server
// makes it anew for each read, other bytes than were accepted (a [runtime.ErrDrift]),
// and a frontmatter that differs from the entry's. Other errors come from the
// invoker.
func (s *Set) ReadSkill(ctx context.Context, server, uri string) (*Loaded, error) {
	i := slices.IndexFunc(s.skills, func(k Skill) bool { return k.Server == server && k.URI == uri })
	if i < 0 {
		return nil, hint.With(fmt.Errorf("%s: the skill %s is not locked", safetext.Printable(server), safetext.Quote(uri, 200)), "lock what the server offers: mcpgen update "+safetext.Printable(server))
	}
	skill := s.skills[i]
	if skill.Dynamic {
		return nil, fmt.Errorf("%s: the skill %s changes with each read, so mcpgen cannot lock it and does not read it", server, safetext.Quote(uri, 200))
	}
	data, err := skill.read(ctx, s.inv, uri)
	if err != nil {
		return nil, err
	}
	if err := sameFrontmatter(data, skill.Frontmatter); err != nil {
		return nil, hint.With(fmt.Errorf("%s: the skill %s: %w", server, safetext.Quote(uri, 200), err), "fix the server, or report the bug to its author")
	}
	return &Loaded{Skill: skill, Text: string(data), inv: s.inv}, nil
}

// ReadFile reads another file of the skill, given its slash-separated path in the
// skill's folder, such as references/FORMS.md. A file that was not locked, or has
// other bytes, is refused with a [runtime.ErrDrift].
func (l *Loaded) ReadFile(ctx context.Context, path string) ([]byte, error) {
	return l.read(ctx, l.inv, l.Root()+path)
}

// Prompt returns the text for a model, below a line that names its origin: hosts must
// not present a server's skill as their own.
func (l *Loaded) Prompt() string {
	return fmt.Sprintf("The skill %s of the MCP server %q:\n\n%s", safetext.Quote(l.Name, 100), l.Server, l.Text)
}

// read reads one file and compares it with the locked one.
func (s Skill) read(ctx context.Context, inv runtime.Invoker, uri string) ([]byte, error) {
	drift := &runtime.DriftError{Server: s.Server, Tool: uri, Rule: ruleid.SkillFilesChanged}
	i := slices.IndexFunc(s.Files, func(f extension.SkillFile) bool { return f.URI == uri })
	if i < 0 {
		return nil, fmt.Errorf("%s: the file %s was not part of the skill when it was locked: %w", s.Server, safetext.Quote(uri, 200), drift)
	}
	res, err := runtime.Request{Server: s.Server, Method: protocol.MethodReadResource, Name: uri}.Do(ctx, inv)
	if err != nil {
		return nil, err
	}
	if len(res.Content) != 1 || res.Content[0].URI != uri {
		return nil, hint.With(fmt.Errorf("%s: reading %s returned %d contents, want one with this address", s.Server, safetext.Quote(uri, 200), len(res.Content)), "fix the server, or report the bug to its author")
	}
	data := res.Content[0].Data
	if data == nil {
		data = []byte(res.Content[0].Text)
	}
	sum := sha256.Sum256(data)
	if want := s.Files[i]; int64(len(data)) != want.Size || "sha256:"+hex.EncodeToString(sum[:]) != want.Digest {
		return nil, fmt.Errorf("%s: the file %s differs from the locked one: %w", s.Server, safetext.Quote(uri, 200), drift)
	}
	return data, nil
}
