package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	events := `{"Action":"run","Package":"a","Test":"TestSeed/000-01"}
{"Action":"pass","Package":"a","Test":"TestSeed/000-01/case"}
{"Action":"pass","Package":"a","Test":"TestSeed/000-01"}
{"Action":"pass","Package":"a","Test":"TestSeed/000-02"}
{"Action":"fail","Package":"b","Test":"TestSeed/000-02#01"}
{"Action":"skip","Package":"a","Test":"TestSeed/000-03"}
{"Action":"pass","Package":"a","Test":"TestSeed/no-row"}
{"Action":"pass","Package":"a","Test":"TestOther/000-04"}
`
	results, err := parseEvents(strings.NewReader(events))
	if err != nil {
		t.Fatal(err)
	}
	rows := []row{{"000-01", "one"}, {"000-02", "two"}, {"000-03", "three"}, {"000-04", "four"}}
	var text strings.Builder
	missing := report(&text, rows, results, true)
	want := `000-01  ok       one (a)
000-02  FAILED   two (b)
000-03  skipped  three (a)
000-04  no test  four
no-row  unknown: a test is named for a row that rows.txt does not have
4 rows, 1 with a passing test
`
	if text.String() != want || missing != 4 {
		t.Errorf("%d missing\n%s", missing, text.String())
	}
}

func TestParseEventsOfABrokenPackage(t *testing.T) {
	_, err := parseEvents(strings.NewReader(`{"Action":"build-fail","ImportPath":"m/b"}`))
	if err == nil || !strings.Contains(err.Error(), "m/b") {
		t.Errorf("got %v", err)
	}
}

func TestRowsAreWhole(t *testing.T) {
	count := map[string]int{}
	seen := map[string]bool{}
	for _, r := range parseRows(rowsText) {
		if seen[r.id] || r.name == "" {
			t.Errorf("row %q is duplicated or has no name", r.id)
		}
		seen[r.id] = true
		system := r.id[:3]
		count[system]++
		if want := fmt.Sprintf("%s-%02d", system, count[system]); r.id != want {
			t.Errorf("row %s stands where %s is missing", r.id, want)
		}
	}
	for system, least := range map[string]int{"000": 26, "001": 37, "002": 24, "003": 27, "004": 49} {
		if count[system] < least {
			t.Errorf("system %s has %d rows, want at least %d", system, count[system], least)
		}
	}
}
