package jsonschema

// This file computes with bounds: exact intervals, and multiples.

import "math/big"

// Interval is the set of numbers that some bounds allow. The zero value is all numbers.
type Interval struct {
	Low, High *Bound   // nil: no bound
	Multiple  *big.Rat // only multiples of it are allowed; nil: any number
}

// Bound is one end of an interval.
type Bound struct {
	At   *big.Rat
	Open bool // At itself is not in the interval
}

// Narrow restricts i to the numbers that the bounds of s allow. Bounds that are invalid or too long to compute
// with are ignored.
func (i *Interval) Narrow(s *Schema) {
	i.raise(Rational(s.Minimum), false)
	i.raise(Rational(s.ExclusiveMinimum), true)
	i.lower(Rational(s.Maximum), false)
	i.lower(Rational(s.ExclusiveMaximum), true)
	if m := Rational(s.MultipleOf); m != nil && m.Sign() > 0 {
		i.Step(m)
	}
}

func (i *Interval) raise(at *big.Rat, open bool) {
	if at != nil && (i.Low == nil || at.Cmp(i.Low.At) > 0 || at.Cmp(i.Low.At) == 0 && open) {
		i.Low = &Bound{at, open}
	}
}

func (i *Interval) lower(at *big.Rat, open bool) {
	if at != nil && (i.High == nil || at.Cmp(i.High.At) < 0 || at.Cmp(i.High.At) == 0 && open) {
		i.High = &Bound{at, open}
	}
}

// Step restricts i to multiples of m, which must be positive.
func (i *Interval) Step(m *big.Rat) {
	if i.Multiple != nil {
		m = leastCommon(i.Multiple, m)
	}
	i.Multiple = m
}

// leastCommon returns the least common multiple of two positive rationals.
func leastCommon(a, b *big.Rat) *big.Rat {
	x := new(big.Int).Mul(a.Num(), b.Denom())
	y := new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, x, y)
	l := new(big.Int).Div(new(big.Int).Mul(x, y), gcd)
	return new(big.Rat).SetFrac(l, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// Tight returns the interval with closed ends on multiples, or i itself if it has no multiples.
func (i Interval) Tight() Interval {
	if i.Multiple == nil {
		return i
	}
	if i.Low != nil {
		at := i.Up(i.Low.At)
		if i.Low.Open && at.Cmp(i.Low.At) == 0 {
			at.Add(at, i.Multiple)
		}
		i.Low = &Bound{At: at}
	}
	if i.High != nil {
		at := i.Up(i.High.At)
		if at.Cmp(i.High.At) > 0 || i.High.Open && at.Cmp(i.High.At) == 0 {
			at.Sub(at, i.Multiple)
		}
		i.High = &Bound{At: at}
	}
	return i
}

// Up returns the least multiple that is at least r, or r if there are no multiples.
func (i Interval) Up(r *big.Rat) *big.Rat {
	if i.Multiple == nil {
		return new(big.Rat).Set(r)
	}
	q := new(big.Rat).Quo(r, i.Multiple)
	n, rest := new(big.Int).DivMod(q.Num(), q.Denom(), new(big.Int))
	if rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), i.Multiple)
}

// Equal reports whether two ends are the same; nil means no bound.
func (b *Bound) Equal(other *Bound) bool {
	if b == nil || other == nil {
		return b == other
	}
	return b.Open == other.Open && b.At.Cmp(other.At) == 0
}

// Contains reports whether a number is in the interval.
func (i *Interval) Contains(r *big.Rat) bool {
	if i.Low != nil {
		if c := r.Cmp(i.Low.At); c < 0 || c == 0 && i.Low.Open {
			return false
		}
	}
	if i.High != nil {
		if c := r.Cmp(i.High.At); c > 0 || c == 0 && i.High.Open {
			return false
		}
	}
	return i.Multiple == nil || new(big.Rat).Quo(r, i.Multiple).IsInt()
}
