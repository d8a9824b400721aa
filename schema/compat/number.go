package compat

// This file decides whether all numbers of an interval are beyond a bound, and lists some of them.

import (
	"math/big"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// interval is the set of a shape's numbers.
type interval struct{ jsonschema.Interval }

func divides(m, r *big.Rat) bool { return new(big.Rat).Quo(r, m).IsInt() }

func (i interval) empty() bool {
	t := i.Tight()
	if t.Low == nil || t.High == nil {
		return false
	}
	c := t.Low.At.Cmp(t.High.At)
	return c > 0 || c == 0 && (t.Low.Open || t.High.Open)
}

// above reports whether every number of i is greater than at, or equal to at if open is false.
func (i interval) above(at *big.Rat, open bool) bool {
	t := i.Tight()
	if t.Low == nil {
		return false
	}
	c := t.Low.At.Cmp(at)
	return c > 0 || c == 0 && (!open || t.Low.Open)
}

func (i interval) below(at *big.Rat, open bool) bool {
	t := i.Tight()
	if t.High == nil {
		return false
	}
	c := t.High.At.Cmp(at)
	return c < 0 || c == 0 && (!open || t.High.Open)
}

// list returns all numbers of i if there are few.
func (i interval) list(limit int) ([]*big.Rat, bool) {
	t := i.Tight()
	if t.Multiple == nil || t.Low == nil || t.High == nil {
		return nil, false
	}
	count := new(big.Rat).Sub(t.High.At, t.Low.At)
	count.Quo(count, t.Multiple)
	if count.Cmp(big.NewRat(int64(limit), 1)) >= 0 {
		return nil, false
	}
	var all []*big.Rat
	for r := t.Low.At; r.Cmp(t.High.At) <= 0; r = new(big.Rat).Add(r, t.Multiple) {
		all = append(all, r)
	}
	return all, true
}

// near returns numbers of i at its bounds and near the given ones.
func (i interval) near(others ...*big.Rat) []*big.Rat {
	t := i.Tight()
	unit := t.Multiple
	if unit == nil {
		unit = big.NewRat(1, 1)
	}
	bases := []*big.Rat{new(big.Rat), big.NewRat(1, 1)}
	for _, b := range []*jsonschema.Bound{t.Low, t.High} {
		if b != nil {
			bases = append([]*big.Rat{b.At}, bases...)
		}
	}
	if t.Low != nil && t.High != nil {
		middle := new(big.Rat).Add(t.Low.At, t.High.At)
		bases = append(bases, middle.Quo(middle, big.NewRat(2, 1)))
	}
	for _, r := range others {
		if r != nil {
			bases = append([]*big.Rat{r}, bases...)
		}
	}
	steps := []*big.Rat{new(big.Rat), unit, new(big.Rat).Neg(unit)}
	if t.Multiple == nil {
		steps = append(steps, big.NewRat(1, 2), big.NewRat(-1, 2), big.NewRat(1, 1024), big.NewRat(-1, 1024))
	}
	var all []*big.Rat
	for _, step := range steps {
		for _, base := range bases {
			r := t.Up(new(big.Rat).Add(base, step))
			if t.Contains(r) {
				all = append(all, r)
			}
		}
	}
	return all
}
