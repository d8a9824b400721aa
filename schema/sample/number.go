package sample

// This file makes numbers, and reads the bounds of everything that is counted.

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// numbers returns the values of a number: small ones first, then the bounds and
// their neighbours, then large ones.
func (g *generator) numbers(s *shape, integer bool) []string {
	r := s.interval(integer)
	step := big.NewRat(1, 1)
	if r.multiple != nil {
		step = r.multiple
	}
	tried := []*big.Rat{step}
	if !integer && r.multiple == nil {
		tried = append(tried, big.NewRat(3, 2))
	}
	for _, n := range []int64{0, 2, -1, 10} {
		tried = append(tried, new(big.Rat).Mul(big.NewRat(n, 1), step))
	}
	for _, bound := range []*big.Rat{r.low, r.high} {
		tried = append(tried, r.around(bound, step)...)
	}
	if r.low != nil && r.high != nil {
		middle := new(big.Rat).Add(r.low, r.high)
		tried = append(tried, r.around(middle.Quo(middle, big.NewRat(2, 1)), step)...)
	}
	if !integer && r.multiple == nil {
		tried = append(tried, big.NewRat(-1, 4), big.NewRat(1, 10))
	}
	for _, n := range []int64{1<<53 + 1, -(1<<53 + 1), math.MaxInt64, math.MinInt64, math.MaxInt32 + 1} {
		tried = append(tried, new(big.Rat).Mul(big.NewRat(n, 1), step))
	}
	for _, hint := range g.hints.numbers {
		tried = append(tried, r.around(hint, step)...)
	}
	return r.write(tried)
}

// interval is what the bounds of a number leave.
type interval struct {
	low, high         *big.Rat // nil: none
	lowOpen, highOpen bool     // the bound itself is not in it
	multiple          *big.Rat
	integer           bool
}

func (s *shape) interval(integer bool) *interval {
	r := &interval{integer: integer}
	for _, p := range s.parts {
		r.above(p.Minimum, false)
		r.above(p.ExclusiveMinimum, true)
		r.below(p.Maximum, false)
		r.below(p.ExclusiveMaximum, true)
		if m := jsonschema.Rational(p.MultipleOf); m != nil && m.Sign() > 0 {
			r.multiple = m // of several, the check finds what fits all
		}
	}
	if integer && r.multiple != nil && !r.multiple.IsInt() {
		r.multiple = new(big.Rat).SetInt(r.multiple.Num()) // the least integer that is one
	}
	return r
}

func (r *interval) above(bound json.Number, open bool) {
	if b := jsonschema.Rational(bound); b != nil && (r.low == nil || b.Cmp(r.low) > 0 || b.Cmp(r.low) == 0 && open) {
		r.low, r.lowOpen = b, open
	}
}

func (r *interval) below(bound json.Number, open bool) {
	if b := jsonschema.Rational(bound); b != nil && (r.high == nil || b.Cmp(r.high) < 0 || b.Cmp(r.high) == 0 && open) {
		r.high, r.highOpen = b, open
	}
}

// around returns a number and its neighbours, and the nearest steps.
func (r *interval) around(n, step *big.Rat) []*big.Rat {
	if n == nil {
		return nil
	}
	down := new(big.Rat).Quo(n, step)
	floor := new(big.Int).Div(down.Num(), down.Denom()) // Euclidean, and the denominator is positive
	base := new(big.Rat).Mul(new(big.Rat).SetInt(floor), step)
	all := []*big.Rat{n, base, new(big.Rat).Add(base, step), new(big.Rat).Sub(base, step)}
	if !r.integer && r.multiple == nil {
		small := big.NewRat(1, 1000)
		all = append(all, new(big.Rat).Add(n, small), new(big.Rat).Sub(n, small))
	}
	return all
}

func (r *interval) has(n *big.Rat) bool {
	if r.low != nil {
		if c := n.Cmp(r.low); c < 0 || c == 0 && r.lowOpen {
			return false
		}
	}
	if r.high != nil {
		if c := n.Cmp(r.high); c > 0 || c == 0 && r.highOpen {
			return false
		}
	}
	if r.multiple != nil && !new(big.Rat).Quo(n, r.multiple).IsInt() {
		return false
	}
	return !r.integer || n.IsInt()
}

// write writes those of the numbers that are in the interval.
func (r *interval) write(tried []*big.Rat) []string {
	var texts []string
	for _, n := range tried {
		if !r.has(n) {
			continue
		}
		if text, ok := jsonschema.Decimal(n); ok && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// counts returns the least and the most of something that the parts allow.
func (s *shape) counts(of func(*jsonschema.Schema) (least, most json.Number)) (least, most int) {
	most = jsonschema.MaxCount
	for _, p := range s.parts {
		low, high := of(p)
		least = max(least, jsonschema.Count(low, 0))
		most = min(most, jsonschema.Count(high, jsonschema.MaxCount))
	}
	return least, most
}
