package main

import (
	"strings"
	"testing"
	"time"
)

// reportOf returns the report of a run whose figures are those of usageAt.
func reportOf(usageAt func(minute int) usage) *report {
	r := &report{options: options{duration: time.Hour, warmup: 10 * time.Minute, callers: 64}, tally: newTally()}
	for minute := range 60 {
		r.samples = append(r.samples, sample{at: time.Duration(minute) * time.Minute, usage: usageAt(minute)})
	}
	return r
}

// steadyUsage is a program whose calls come and go, and that holds nothing for long.
func steadyUsage(minute int) usage {
	return usage{heap: uint64(20+minute%7*30) << 20, goroutines: 200 + minute%5*10, files: 110 + minute%3*10, processes: 20 - minute%4}
}

func TestVerdict(t *testing.T) {
	for name, test := range map[string]struct {
		report *report
		want   string // "" means no objection
	}{
		"steady": {reportOf(steadyUsage), ""},
		"a start that needs more": {reportOf(func(minute int) usage {
			u := steadyUsage(minute)
			if minute < 10 {
				u.heap, u.goroutines = 0, 0
			}
			return u
		}), ""},
		"heap": {reportOf(func(minute int) usage {
			u := steadyUsage(minute)
			u.heap += uint64(minute) << 18
			return u
		}), "heap grew"},
		"goroutines": {reportOf(func(minute int) usage {
			u := steadyUsage(minute)
			u.goroutines += 2 * minute
			return u
		}), "goroutines grew"},
		"descriptors": {reportOf(func(minute int) usage {
			u := steadyUsage(minute)
			u.files += 2 * minute
			return u
		}), "descriptors grew"},
		"processes": {reportOf(func(minute int) usage {
			u := steadyUsage(minute)
			u.processes += minute / 3
			return u
		}), "processes grew"},
		"too short": {&report{tally: newTally()}, "too short"},
		"left behind": {func() *report {
			r := reportOf(steadyUsage)
			r.left = usage{processes: 1}
			return r
		}(), "1 processes"},
		"a wrong answer": {func() *report {
			r := reportOf(steadyUsage)
			r.tally.wrong = []string{"asked a, got b"}
			return r
		}(), "asked a, got b"},
		"an error without a type": {func() *report {
			r := reportOf(steadyUsage)
			r.tally.add(server{}, "", nil, errOver)
			return r
		}(), "the time is over"},
	} {
		err := test.report.verdict()
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v, want no objection", name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %q in it", name, err, test.want)
		}
	}
}
