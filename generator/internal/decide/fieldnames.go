package decide

// Names of fields. Each struct is a scope of its own.

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/parallel"
)

// nameFields names the fields of all structs. Kept are the names that they had before. The
// errors are of the lock.
func nameFields(server string, items []*item, kept map[ItemID]map[string]string) []error {
	errs := make([][]error, len(items))
	_ = parallel.Each(context.Background(), len(items), func(i int) error {
		for d := range items[i].decls() {
			a, ids := &assigner{server: server, kept: kept, scope: fieldScope()}, d.fields()
			a.give(ids, givenName)
			a.give(ids, a.keptName)
			a.free(ids)
			errs[i] = append(errs[i], a.errs...)
		}
		return nil
	})
	return slices.Concat(errs...)
}

// fields are the fields of a struct in the order in which they get their names.
func (d *decl) fields() []identifier {
	var out []identifier
	for _, m := range slices.SortedStableFunc(slices.Values(d.members), func(x, y *member) int {
		last := cmp.Compare(strconv.FormatBool(x.f.Untagged), strconv.FormatBool(y.f.Untagged)) // false is first
		return cmp.Or(last, cmp.Compare(x.f.Wire, y.f.Wire))
	}) {
		out = append(out, identifier{of: d.side.it, key: m.key, who: m.who(), base: m.asked(d.side.it.caps), into: &m.f.Go, field: true})
	}
	return out
}

// asked is the name that a field asks for.
func (m *member) asked(caps capitals) string {
	if m.name != "" {
		return caps.spell(m.name)
	}
	return caps.spell(exported(m.f.Wire))
}

// who describes the member in messages.
func (m *member) who() string {
	if m.name != "" {
		return "the item " + m.name
	}
	return "the member " + quote(m.f.Wire)
}
