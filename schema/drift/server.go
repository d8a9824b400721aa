package drift

// This file compares what a server says about itself, and how it is reached.

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

func (c *comparer) server() {
	b, a := c.before, c.after
	if !c.first {
		c.identity(members(b.Identity), members(a.Identity))
		c.capabilities(members(b.Capabilities), members(a.Capabilities))
		c.settings()
	}
	s := c.scope(KindServer, "", hashOf(a.Identity))
	s.texts(stringsIn("/identity", b.Identity), stringsIn("/identity", a.Identity))
	c.instructions()
}

func (c *comparer) identity(b, a map[string]json.RawMessage) {
	s := c.scope(KindServer, "", hashOf(c.after.Identity))
	for _, name := range union(b, a) {
		rule, message := serverIdentityChanged, "the server describes itself in another way: "+quote(name)+" differs"
		switch name {
		case "name":
			rule, message = serverNameChanged, "the server was called "+quoteJSON(b[name])+" and is called "+quoteJSON(a[name])
		case "version":
			rule, message = serverVersionChanged, "the version was "+quoteJSON(b[name])+" and is "+quoteJSON(a[name])
		}
		s.member(rule, "/identity/"+jsontext.EscapePointer(name), message, b[name], a[name])
	}
}

// silentRelease finds tools that changed without a new version. It runs after the tools are compared: a tool
// with a security finding does not count, since the lock may have left it out, or kept its old definition
// when the version changed.
func (c *comparer) silentRelease() {
	b, a := members(c.before.Identity)["version"], members(c.after.Identity)["version"]
	if c.first || a == nil || !equalJSON(b, a) || !c.toolsMoved() {
		return
	}
	c.scope(KindServer, "", hashOf(c.after.Identity)).add(note{
		rule: serverSilentRelease, path: "/identity/version", before: b, after: a,
		message: "tools changed, and the version is still " + quoteJSON(a),
	})
}

// toolsMoved reports whether the contract of any tool without a security finding differs.
func (c *comparer) toolsMoved() bool {
	both, gone, added := split(c.before.Tools, c.after.Tools)
	suspects := suspectsIn(c.changes)
	for _, pair := range both {
		if !suspects[pair[0].Name] && contractOf(pair[0].Raw) != contractOf(pair[1].Raw) {
			return true
		}
	}
	return slices.ContainsFunc(slices.Concat(gone, added), func(it *schema.Item) bool { return !suspects[it.Name] })
}

// suspectsIn returns the names of the tools with a security finding that a person has to look at: of a renamed
// tool both names.
func suspectsIn(changes []Change) map[string]bool {
	out := map[string]bool{}
	for _, f := range changes {
		if f.Kind == schema.KindTool && f.Class == ClassSecurity && f.Severity.AtLeast(Unknown) {
			out[f.Name] = true
		}
	}
	for _, f := range changes {
		if f.Rule.row == toolRenamed && out[f.Name] {
			out[jsontext.Text(f.After)] = true
		}
	}
	return out
}

func (c *comparer) capabilities(b, a map[string]json.RawMessage) {
	s := c.scope(KindServer, "", hashOf(c.after.Capabilities))
	for _, name := range union(b, a) {
		was, is := jsontext.Present(b[name]), jsontext.Present(a[name])
		n := note{path: "/capabilities/" + jsontext.EscapePointer(name), before: was, after: is}
		switch {
		case equalJSON(was, is):
			continue
		case was == nil:
			n.rule, n.message = serverCapabilityAdded, "the server now has the capability "+quote(name)
		case is == nil:
			n.rule, n.message = serverCapabilityRemoved, "the server no longer has the capability "+quote(name)
			if isUnused(c.before, name) {
				n.severity = Info
			}
		default:
			n.rule, n.message = serverCapabilityChanged, "the server describes the capability "+quote(name)+" in another way"
		}
		s.add(n)
	}
}

// isUnused reports whether no generated code depends on a capability, because the server listed no items of it.
func isUnused(s *schema.Snapshot, capability string) bool {
	switch capability {
	case "tools":
		return len(s.Tools) == 0
	case "prompts":
		return len(s.Prompts) == 0
	case "resources":
		return len(s.Resources)+len(s.Templates) == 0
	case "completions":
		return len(s.Prompts)+len(s.Templates) == 0
	}
	return true // logging, tasks, experimental: no generated code calls them
}

// settings compares protocol and launch.
func (c *comparer) settings() {
	b, a := c.before.ProtocolVersion, c.after.ProtocolVersion
	if b != a && b != "" && a != "" {
		c.scope(KindServer, "", hashOf(text(a))).add(note{
			rule: protocolVersionChanged, path: "/protocol", message: "the revision was " + quote(b) + " and is " + quote(a),
			before: text(b), after: text(a),
		})
	}
	c.launch(c.opts.LaunchBefore, c.opts.LaunchAfter)
}

func (c *comparer) launch(b, a lockfile.Launch) {
	if b.Hash == a.Hash {
		c.artifact(c.opts.ArtifactBefore, c.opts.ArtifactAfter)
	}
	if a.Hash == "" || b.Hash == a.Hash || c.first {
		return
	}
	c.scope(KindServer, "", hashOf(text(a.Hash))).add(note{
		rule: LaunchChanged.row, path: "/launch",
		message: "the server is started or reached in another way: " + strings.Join(b.Differences(a), "; "),
		before:  b.JSON(), after: a.JSON(),
	})
}

// shownArtifact is an artifact as shown in a change; the change's hash covers all of it.
type shownArtifact struct {
	Integrity string                `json:"integrity"`
	Kind      lockfile.ArtifactKind `json:"kind"`
	Name      string                `json:"name"`
	Systems   lockfile.Hashes       `json:"systems,omitempty"`
	Tree      string                `json:"tree,omitempty"`
	Version   string                `json:"version"`
}

func (c *comparer) artifact(b, a lockfile.Artifact) {
	difference := b.Difference(a)
	if difference == "" {
		return
	}
	shown := func(a lockfile.Artifact) json.RawMessage {
		// strings can always be marshalled
		raw, _ := json.Marshal(shownArtifact{a.Integrity, a.Kind, a.Name, a.Systems, a.Tree, a.Version})
		return raw
	}
	rule, message := ArtifactChanged, "the same launch ran something else: "
	if b.OtherBytes(a) {
		rule, message = BytesChanged, "the same launch would run something else: "
	}
	c.scope(KindServer, "", hashOf(shown(a))).add(note{
		rule: rule.row, path: "/artifact",
		message: message + difference,
		before:  shown(b), after: shown(a),
	})
}

func (c *comparer) instructions() {
	b, a := c.before.Instructions, c.after.Instructions
	if b == a {
		return
	}
	s := c.scope(KindServer, "", hashOf(text(a)))
	var was []located
	if !c.first {
		s.add(note{rule: serverInstructionsChanged, path: "/instructions", message: "the instructions differ",
			before: text(b), after: text(a)})
		if b != "" {
			was = []located{{"/instructions", b}}
		}
	}
	s.texts(was, []located{{"/instructions", a}})
}
