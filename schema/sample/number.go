package sample

// This file creates numbers and reads counting bounds.

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"

	"github.com/mcpgen/mcpgen/schema/jsonschema"
)

// numbers returns numbers: small ones first, then the bounds and their neighbours, then large ones.
func (g *generator) numbers(s *shape, integer bool) []string {
	r := &jsonschema.Interval{}
	for _, p := range s.parts {
		r.Narrow(p)
	}
	if integer {
		r.Step(big.NewRat(1, 1))
	}
	step, fractions := r.Multiple, r.Multiple == nil
	if fractions {
		step = big.NewRat(1, 1)
	}
	tried := []*big.Rat{step}
	if fractions {
		tried = append(tried, big.NewRat(3, 2))
	}
	for _, n := range []int64{0, 2, -1, 10} {
		tried = append(tried, new(big.Rat).Mul(big.NewRat(n, 1), step))
	}
	for _, bound := range []*jsonschema.Bound{r.Low, r.High} {
		if bound != nil {
			tried = append(tried, around(bound.At, step, fractions)...)
		}
	}
	if r.Low != nil && r.High != nil {
		middle := new(big.Rat).Add(r.Low.At, r.High.At)
		tried = append(tried, around(middle.Quo(middle, big.NewRat(2, 1)), step, fractions)...)
	}
	if fractions {
		tried = append(tried, big.NewRat(-1, 4), big.NewRat(1, 10))
	}
	for _, n := range []int64{1<<53 + 1, -(1<<53 + 1), math.MaxInt64, math.MinInt64, math.MaxInt32 + 1} {
		tried = append(tried, new(big.Rat).Mul(big.NewRat(n, 1), step))
	}
	for _, hint := range g.hints.numbers {
		tried = append(tried, around(hint, step, fractions)...)
	}
	var texts []string
	for _, n := range tried {
		if text, ok := jsonschema.Decimal(n); ok && r.Contains(n) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// around returns a number and its neighbours, and the nearest steps.
func around(n, step *big.Rat, fractions bool) []*big.Rat {
	down := new(big.Rat).Quo(n, step)
	floor := new(big.Int).Div(down.Num(), down.Denom()) // Euclidean division; the denominator is positive
	base := new(big.Rat).Mul(new(big.Rat).SetInt(floor), step)
	all := []*big.Rat{n, base, new(big.Rat).Add(base, step), new(big.Rat).Sub(base, step)}
	if fractions {
		small := big.NewRat(1, 1000)
		all = append(all, new(big.Rat).Add(n, small), new(big.Rat).Sub(n, small))
	}
	return all
}

// counts returns the least and greatest count that the parts allow.
func (s *shape) counts(of func(*jsonschema.Schema) (least, most json.Number)) (least, most int) {
	most = jsonschema.MaxCount
	for _, p := range s.parts {
		low, high := of(p)
		least = max(least, jsonschema.Count(low, 0))
		most = min(most, jsonschema.Count(high, jsonschema.MaxCount))
	}
	return least, most
}
