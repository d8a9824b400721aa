package drift

// This file compares documents that models and people read: the files of skills and the pages of apps.

import (
	"strings"

	"github.com/mcpgen/mcpgen/internal/safetext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/extension"
)

func (c *comparer) skills() {
	both, gone, added := split(c.before.Skills, c.after.Skills)
	c.listed(schema.KindSkill, gone, added)
	c.changed(schema.KindSkill, both, func(s *scope, b, a *schema.Item) {
		before, errBefore := extension.ParseSkill(b.Raw)
		after, errAfter := extension.ParseSkill(a.Raw)
		switch n := (note{path: "/resources", before: members(b.Raw)["resources"], after: members(a.Raw)["resources"]}); {
		case errBefore != nil || errAfter != nil: // impossible unless the snapshot was edited
		case after.Dynamic && !before.Dynamic:
			n.rule = skillBecameDynamic
			n.message = "the skill's files no longer have digests, so mcpgen cannot compare them with the lock"
			s.add(n)
		case !after.Dynamic && !before.Dynamic:
			if what := filesChanged(before, after); what != "" {
				n.rule, n.message = skillFilesChanged, what
				s.add(n)
			}
		}
		s.docMembers(skillDocsChanged, b.Raw, a.Raw, "frontmatter", "_meta")
	})
}

// apps compares the pages of tools: their bytes, and what they request from hosts.
func (c *comparer) apps() {
	both, gone, added := split(c.before.Apps, c.after.Apps)
	c.listed(schema.KindApp, gone, added)
	c.changed(schema.KindApp, both, func(s *scope, before, after *schema.Item) {
		b, a := members(before.Raw), members(after.Raw)
		for _, name := range union(b, a) {
			s.member(appChanged, "/"+name, "the page's "+name+" differs", b[name], a[name])
		}
	})
}

// filesChanged describes which files of a skill are new, removed or changed; "" if none.
func filesChanged(before, after extension.Skill) string {
	was := map[string]string{}
	for _, f := range before.Files {
		was[f.URI] = f.Digest
	}
	var fresh, other, gone []string
	for _, f := range after.Files {
		digest, ok := was[f.URI]
		delete(was, f.URI)
		if !ok {
			fresh = append(fresh, f.URI)
		} else if digest != f.Digest {
			other = append(other, f.URI)
		}
	}
	for _, f := range before.Files {
		if _, ok := was[f.URI]; ok {
			gone = append(gone, f.URI)
		}
	}
	var parts []string
	for _, p := range []struct {
		what string
		uris []string
	}{{"changed files", other}, {"new files", fresh}, {"removed files", gone}} {
		if len(p.uris) > 0 {
			parts = append(parts, p.what+": "+some(p.uris, before.Root()))
		}
	}
	return strings.Join(parts, "; ")
}

// some names up to three files by their path within a folder.
func some(uris []string, root string) string {
	names := make([]string, len(uris))
	for i, uri := range uris {
		names[i] = quote(strings.TrimPrefix(uri, root))
	}
	return safetext.List(names, 3)
}
