package main

import (
	"fmt"
	"slices"
)

// sample holds the figures of the rounds of one measurement.
type sample []float64

// least is the figure that is compared: what else ran on the machine only adds.
func (s sample) least() float64 { return slices.Min(s) }

func (s sample) median() float64 { return slices.Sorted(slices.Values(s))[len(s)/2] }

// in prints the least, the median and the most of the figures, each times scale.
func (s sample) in(scale float64, unit string) string {
	if len(s) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(s))
	digits := 2
	for least := sorted[0] * scale; digits > 0 && least >= 10; least /= 10 {
		digits--
	}
	return fmt.Sprintf("%.*f/%.*f/%.*f %s", digits, sorted[0]*scale, digits, sorted[len(sorted)/2]*scale, digits, sorted[len(sorted)-1]*scale, unit)
}

// row is the row of a measurement that is compared with a budget alone.
func (s sample) row(what string, budget float64, unit string) row {
	return row{what: what, cost: s.in(1, unit), ratio: s.least(), budget: budget, unit: unit}
}

// because gives the reason of a row that may be over its budget.
func (r row) because(why string) row {
	r.why = why
	return r
}

// compared is the row of two measurements of one run, in turns. A budget of 0 judges
// nothing.
func compared(what string, ours, theirs sample, scale float64, unit string, budget float64) row {
	return row{what: what, cost: ours.in(scale, unit), against: theirs.in(scale, unit), ratio: ours.least() / theirs.least(), budget: budget}
}
