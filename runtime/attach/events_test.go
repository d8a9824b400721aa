package attach

import (
	"fmt"
	"strings"
	"testing"
)

// A slow reader loses the oldest events, is told so, and holds nobody up.
func TestSlowReader(t *testing.T) {
	host, err := Connect(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	stream := host.Events(t.Context())
	for i := range maxEvents + 10 {
		host.Notice(fmt.Sprint(i), nil)
	}
	_ = host.Close()
	var got []string
	for e := range stream {
		got = append(got, e.Detail)
	}
	if len(got) != maxEvents+1 || !strings.Contains(got[0], "10 events were dropped") || got[1] != "10" {
		t.Errorf("%d events, %q", len(got), got[:2])
	}
}

// A host that is closed has no more events, and nothing to watch.
func TestEventsOfAClosedHost(t *testing.T) {
	host, err := Connect(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	if _, err := host.Watch(func() { calls++ }); err != nil {
		t.Fatal(err)
	}
	stop, err := host.Watch(func() { t.Error("the function was called after stop, want no call") })
	if err != nil {
		t.Fatal(err)
	}
	stop()
	_ = host.Close()
	if calls != 1 {
		t.Errorf("called %d times at the end", calls)
	}
	if _, err := host.Watch(func() {}); err == nil {
		t.Error("Watch of a closed host has no error, want one")
	}
	for e := range host.Events(t.Context()) {
		t.Errorf("after the end: %+v", e)
	}
}
