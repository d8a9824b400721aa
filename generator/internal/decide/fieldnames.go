package decide

// Names of fields. Each struct is a scope of its own.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/internal/parallel"
)

// allFields names the fields of all structs. Each struct is a separate scope.
func (a *assigner) allFields() {
	errs := make([][]error, len(a.items))
	_ = parallel.Each(context.Background(), len(a.items), func(i int) error {
		for d := range a.items[i].decls() {
			errs[i] = append(errs[i], a.fields(a.items[i], d)...)
		}
		return nil
	})
	a.errs = append(a.errs, slices.Concat(errs...)...)
}

// fields names the fields of one struct. The errors are of the lock.
func (a *assigner) fields(it *item, d *decl) (errs []error) {
	s := fieldScope()
	members := slices.SortedStableFunc(slices.Values(d.members), func(x, y *member) int {
		return cmp.Or(order(x.f.Untagged, y.f.Untagged), cmp.Compare(x.f.Wire, y.f.Wire))
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
		if err := checkGiven(name); err != nil {
			return err
		}
		if holder, taken := s.holder(name); taken {
			return fmt.Errorf("the name %s is taken by %s", name, holder)
		}
		s.claim(name, m.who())
		m.f.Go = name
		return nil
	}
	for _, m := range members {
		if err := take(m, it.given[m.key]); err != nil {
			errs = append(errs, a.lockError(it, m.key, err))
		}
	}
	for _, m := range members {
		_ = take(m, a.kept[it.id()][m.key]) // a name that is gone is not missed
	}
	for _, m := range members {
		if m.f.Go == "" {
			m.f.Go = s.unique(m.asked(it.caps), m.who())
		}
	}
	return errs
}

// order puts false before true.
func order(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
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
