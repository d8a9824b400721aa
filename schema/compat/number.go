package compat

// This file reasons about numbers: intervals with exact bounds, and multiples.

import (
	"math/big"
)

// bound is an end of an interval; nil means none.
type bound struct {
	at   *big.Rat
	open bool // at itself is not in the interval
}

// interval holds the numbers of a shape, of which multiples count alone.
type interval struct {
	lo, hi   *bound
	multiple *big.Rat // nil: any
}

func (i *interval) raise(at *big.Rat, open bool) {
	if at == nil {
		return
	}
	if i.lo == nil || at.Cmp(i.lo.at) > 0 || at.Cmp(i.lo.at) == 0 && open {
		i.lo = &bound{at, open}
	}
}

func (i *interval) lower(at *big.Rat, open bool) {
	if at == nil {
		return
	}
	if i.hi == nil || at.Cmp(i.hi.at) < 0 || at.Cmp(i.hi.at) == 0 && open {
		i.hi = &bound{at, open}
	}
}

// step makes multiples of m alone count, beside those that count already.
func (i *interval) step(m *big.Rat) {
	if m == nil || m.Sign() <= 0 {
		return
	}
	if i.multiple == nil {
		i.multiple = m
		return
	}
	i.multiple = leastCommon(i.multiple, m)
}

// leastCommon returns the least common multiple of two positive rationals.
func leastCommon(a, b *big.Rat) *big.Rat {
	x := new(big.Int).Mul(a.Num(), b.Denom())
	y := new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, x, y)
	l := new(big.Int).Div(new(big.Int).Mul(x, y), gcd)
	return new(big.Rat).SetFrac(l, new(big.Int).Mul(a.Denom(), b.Denom()))
}

func divides(m, r *big.Rat) bool { return new(big.Rat).Quo(r, m).IsInt() }

// tight returns the interval with its ends on multiples; i itself if it has
// none.
func (i interval) tight() interval {
	if i.multiple == nil {
		return i
	}
	if i.lo != nil {
		at := i.up(i.lo.at)
		if i.lo.open && at.Cmp(i.lo.at) == 0 {
			at.Add(at, i.multiple)
		}
		i.lo = &bound{at: at}
	}
	if i.hi != nil {
		at := i.up(i.hi.at)
		if at.Cmp(i.hi.at) > 0 || i.hi.open && at.Cmp(i.hi.at) == 0 {
			at.Sub(at, i.multiple)
		}
		i.hi = &bound{at: at}
	}
	return i
}

// up returns the least multiple that is not below r.
func (i interval) up(r *big.Rat) *big.Rat {
	if i.multiple == nil {
		return new(big.Rat).Set(r)
	}
	q := new(big.Rat).Quo(r, i.multiple)
	n, rest := new(big.Int).DivMod(q.Num(), q.Denom(), new(big.Int))
	if rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), i.multiple)
}

func (i interval) empty() bool {
	t := i.tight()
	if t.lo == nil || t.hi == nil {
		return false
	}
	c := t.lo.at.Cmp(t.hi.at)
	return c > 0 || c == 0 && (t.lo.open || t.hi.open)
}

func (i interval) contains(r *big.Rat) bool {
	if i.lo != nil {
		if c := r.Cmp(i.lo.at); c < 0 || c == 0 && i.lo.open {
			return false
		}
	}
	if i.hi != nil {
		if c := r.Cmp(i.hi.at); c > 0 || c == 0 && i.hi.open {
			return false
		}
	}
	return i.multiple == nil || divides(i.multiple, r)
}

// above reports whether every number of i is above at, or at it if that is not
// open.
func (i interval) above(at *big.Rat, open bool) bool {
	t := i.tight()
	if t.lo == nil {
		return false
	}
	c := t.lo.at.Cmp(at)
	return c > 0 || c == 0 && (!open || t.lo.open)
}

func (i interval) below(at *big.Rat, open bool) bool {
	t := i.tight()
	if t.hi == nil {
		return false
	}
	c := t.hi.at.Cmp(at)
	return c < 0 || c == 0 && (!open || t.hi.open)
}

// list returns all numbers of i if they are few.
func (i interval) list(limit int) ([]*big.Rat, bool) {
	t := i.tight()
	if t.multiple == nil || t.lo == nil || t.hi == nil {
		return nil, false
	}
	count := new(big.Rat).Sub(t.hi.at, t.lo.at)
	count.Quo(count, t.multiple)
	if count.Cmp(big.NewRat(int64(limit), 1)) >= 0 {
		return nil, false
	}
	var all []*big.Rat
	for r := t.lo.at; r.Cmp(t.hi.at) <= 0; r = new(big.Rat).Add(r, t.multiple) {
		all = append(all, r)
	}
	return all, true
}

// near returns numbers of i at its ends and near the given ones.
func (i interval) near(others ...*big.Rat) []*big.Rat {
	t := i.tight()
	unit := t.multiple
	if unit == nil {
		unit = big.NewRat(1, 1)
	}
	bases := []*big.Rat{new(big.Rat), big.NewRat(1, 1)}
	for _, b := range []*bound{t.lo, t.hi} {
		if b != nil {
			bases = append([]*big.Rat{b.at}, bases...)
		}
	}
	if t.lo != nil && t.hi != nil {
		middle := new(big.Rat).Add(t.lo.at, t.hi.at)
		bases = append(bases, middle.Quo(middle, big.NewRat(2, 1)))
	}
	for _, r := range others {
		if r != nil {
			bases = append([]*big.Rat{r}, bases...)
		}
	}
	steps := []*big.Rat{new(big.Rat), unit, new(big.Rat).Neg(unit)}
	if t.multiple == nil {
		steps = append(steps, big.NewRat(1, 2), big.NewRat(-1, 2), big.NewRat(1, 1024), big.NewRat(-1, 1024))
	}
	var all []*big.Rat
	for _, step := range steps {
		for _, base := range bases {
			r := t.up(new(big.Rat).Add(base, step))
			if t.contains(r) {
				all = append(all, r)
			}
		}
	}
	return all
}
