package jsonschema

// This file follows references within one document. Nothing is fetched.

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/internal/tree"
)

// Lookup returns the schema at a JSON pointer, or nil if there is none.
func (d *Document) Lookup(pointer string) *Schema { return d.pointers[pointer] }

// Resolve follows the $ref of s, and the $ref of each target, and returns the first schema without a $ref; s
// itself if it has none. Siblings of $ref are ignored.
//
// References may be "#", JSON pointers, $anchor, $dynamicAnchor and $id names of the same document, relative or absolute, and
// the metaschemas of all drafts, see [Schema.Metaschema]. Resolve returns an [*schema.Error], whose Pointer is
// that of the schema with the reference, for references to other documents (nothing is fetched), for unresolved
// references, and for references that only refer to each other.
func (d *Document) Resolve(s *Schema) (*Schema, error) {
	seen := map[*Schema]bool{}
	for s != nil && s.Ref != "" {
		if seen[s] {
			return nil, &schema.Error{Pointer: s.Pointer, Reason: "the references only refer to each other, at last to " + tree.Quote(s.Ref)}
		}
		seen[s] = true
		next, err := d.Follow(s)
		if err != nil {
			return nil, err
		}
		s = next
	}
	return s, nil
}

// Follow returns the target of the $ref of s, which may have a $ref too: one step of [Document.Resolve], with
// the same errors. It returns s itself if s has no $ref.
func (d *Document) Follow(s *Schema) (*Schema, error) {
	if s.Ref == "" {
		return s, nil
	}
	next, reason := d.follow(s)
	if next == nil {
		return nil, &schema.Error{Pointer: s.Pointer, Reason: "reference " + tree.Quote(s.Ref) + ": " + reason}
	}
	return next, nil
}

// Refer returns a schema that only refers, as one in s would.
func (s *Schema) Refer(ref string) *Schema { return &Schema{Ref: ref, base: s.base} }

// Edited returns a copy of the document. Edit is called once for each schema, in no particular order, and may
// change the copy; references of the result resolve to copies. Keywords are not copied.
func (d *Document) Edited(edit func(original, copied *Schema)) *Document {
	copies := map[*Schema]*Schema{}
	out := *d
	out.Root = d.Root.copied(copies)
	pointers := func(known map[string]*Schema) map[string]*Schema {
		led := make(map[string]*Schema, len(known))
		for name, s := range known {
			led[name] = s.copied(copies)
		}
		return led
	}
	out.pointers, out.anchors, out.ids = pointers(d.pointers), pointers(d.anchors), pointers(d.ids)
	for original, s := range copies {
		edit(original, s)
	}
	return &out
}

// copied returns a deep copy of a schema, or nil for nil.
func (s *Schema) copied(copies map[*Schema]*Schema) *Schema {
	if s == nil || copies[s] != nil {
		return copies[s]
	}
	c := new(*s)
	copies[s] = c
	list := func(in []*Schema) []*Schema {
		out := slices.Clone(in)
		for i, sub := range in {
			out[i] = sub.copied(copies)
		}
		return out
	}
	named := func(in []Property) []Property {
		out := slices.Clone(in)
		for i, p := range in {
			out[i].Schema = p.Schema.copied(copies)
		}
		return out
	}
	c.Items = s.Items.copied(copies)
	for keyword := range fields() {
		switch at := c.field(keyword).(type) {
		case **Schema:
			*at = (*s.field(keyword).(**Schema)).copied(copies)
		case *[]*Schema:
			*at = list(*s.field(keyword).(*[]*Schema))
		case *[]Property:
			*at = named(*s.field(keyword).(*[]Property))
		}
	}
	return c
}

// follow follows one reference. Reason explains a nil next.
func (d *Document) follow(s *Schema) (next *Schema, reason string) {
	if s.bound != nil {
		return s.bound, ""
	}
	root, fragment, reason := d.target(s)
	if root == nil {
		return nil, reason
	}
	if fragment != "" && fragment[0] != '/' {
		next, known := d.anchors[root.base+"#"+fragment]
		if next == nil && known {
			return nil, "two schemas have this $anchor"
		}
		return next, "no schema has this $anchor"
	}
	return d.pointers[root.Pointer+normalPointer(fragment)], "there is no schema"
}

// target returns the schema resource that s refers to, and the fragment of the
// reference.
func (d *Document) target(s *Schema) (root *Schema, fragment, reason string) {
	ref, fragment, _ := strings.Cut(s.Ref, "#")
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	base := s.base
	if ref != "" {
		abs, ok := resolveURI(s.base, ref)
		if !ok {
			return nil, "", "is not a URI reference"
		}
		base = abs
	}
	if whole := d.whole(); base == whole.base {
		return whole, fragment, ""
	}
	root, known := d.ids[base]
	switch {
	case root == nil && known:
		return nil, "", "two schemas have this $id"
	case root == nil:
		return nil, "", "refers to another document, which is not fetched"
	case root.Metaschema != "" && fragment != "":
		return nil, "", "refers to a part of a metaschema, and only the whole is known"
	}
	return root, fragment, ""
}

// whole returns the root of the parsed document: Root may be a schema within it.
func (d *Document) whole() *Schema {
	if first := d.pointers[""]; first != nil && d.Root.Pointer != "" {
		return first
	}
	return d.Root
}

// localPointer returns the JSON pointer that s refers to, and what references there are
// relative to; false if its reference is of another form.
func (d *Document) localPointer(s *Schema) (pointer, base string, ok bool) {
	root, fragment, _ := d.target(s)
	if root == nil || fragment == "" || fragment[0] != '/' {
		return "", "", false
	}
	return root.Pointer + normalPointer(fragment), root.base, true
}

// normalPointer escapes a pointer in the same way as the document's pointers.
func normalPointer(pointer string) string {
	if !strings.Contains(pointer, "~") {
		return pointer
	}
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		parts[i] = jsontext.EscapePointer(jsontext.UnescapePointer(part))
	}
	return strings.Join(parts, "/")
}
