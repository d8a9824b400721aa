package decide

// Names of fields. Each struct is a scope of its own.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/parallel"
)

// nameFields names the fields of all structs. Each struct is a separate scope. Kept are the
// names that they had before. The errors are of the lock.
func nameFields(server string, items []*item, kept map[ItemID]map[string]string) []error {
	errs := make([][]error, len(items))
	_ = parallel.Each(context.Background(), len(items), func(i int) error {
		for d := range items[i].decls() {
			errs[i] = append(errs[i], nameFieldsOf(server, items[i], d, kept[items[i].id()])...)
		}
		return nil
	})
	return slices.Concat(errs...)
}

// nameFieldsOf names the fields of one struct.
func nameFieldsOf(server string, it *item, d *decl, kept map[string]string) (errs []error) {
	s := fieldScope()
	members := slices.SortedStableFunc(slices.Values(d.members), func(x, y *member) int {
		last := cmp.Compare(strconv.FormatBool(x.f.Untagged), strconv.FormatBool(y.f.Untagged)) // false is first
		return cmp.Or(last, cmp.Compare(x.f.Wire, y.f.Wire))
	})
	names := beside{}
	for _, m := range members {
		names.ask(m.key, m.asked(it.caps))
	}
	take := func(m *member, name string) error {
		if name == "" || m.f.Go != "" {
			return nil
		}
		if owner := names.of(m.key, name, m.asked(it.caps)); owner != "" {
			if !it.isLocked() {
				return nil
			}
			return fmt.Errorf("the name %s is reserved for %s", name, quote(owner))
		}
		known := vocabulary{}
		if known.add(m.asked(it.caps), fixedWords); !known.spells(name) {
			if !it.isLocked() {
				return nil
			}
			return errors.New(notDerived(name))
		}
		if err := s.claimable(name); err != nil {
			return err
		}
		s.claim(name, m.who())
		m.f.Go = name
		return nil
	}
	for _, m := range members {
		if err := take(m, it.given[m.key]); err != nil {
			errs = append(errs, lockError(server, it, m.key, err))
		}
	}
	for _, m := range members {
		_ = take(m, kept[m.key]) // a name that is gone is not missed
	}
	for _, m := range members {
		if m.f.Go == "" {
			m.f.Go = s.unique(m.asked(it.caps), m.who(), nil)
		}
	}
	return errs
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
