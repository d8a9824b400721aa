// What the suite is expected to find.

package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// check is one check of a scenario.
type check struct{ scenario, id string }

// baseline is what is expected.
type baseline struct {
	atLeast int               // checks that pass
	fail    map[check]string  // expected failures, with their reasons
	nothing map[string]string // scenarios that check nothing, with the reasons
	outside map[string]string // scenarios about what is not offered, with the reasons
}

// readBaseline reads the file. Errors name its line.
func readBaseline(path string) (*baseline, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := &baseline{fail: map[check]string{}, nothing: map[string]string{}, outside: map[string]string{}}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if err := b.add(text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return b, lines.Err()
}

func (b *baseline) add(text string) (err error) {
	if number, ok := strings.CutPrefix(text, "at-least "); ok {
		b.atLeast, err = strconv.Atoi(number)
		return err
	}
	what, reason, ok := strings.Cut(text, ": ")
	if scenario, is := strings.CutPrefix(what, "nothing "); is && reason != "" {
		b.nothing[scenario] = reason
		return nil
	}
	if scenario, is := strings.CutPrefix(what, "outside "); is && reason != "" {
		b.outside[scenario] = reason
		return nil
	}
	scenario, id, two := strings.Cut(what, " ")
	if !ok || !two || reason == "" {
		return fmt.Errorf("want a line %q, found %q", "scenario check: reason", text)
	}
	c := check{scenario, id}
	if b.fail[c] != "" {
		return fmt.Errorf("%s %s is duplicated", scenario, id)
	}
	b.fail[c] = reason
	return nil
}
