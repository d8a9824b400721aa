package format_test

import (
	"fmt"
	"time"

	"github.com/mcpgen/mcpgen/runtime/format"
)

// A time in a result keeps the spelling of the server.
func ExampleDateTime_Time() {
	merged := format.DateTime("2026-07-28T09:30:00Z")
	t, err := merged.Time()
	fmt.Println(t.Weekday(), err)
	// Output: Tuesday <nil>
}

// A time in an argument is written by the function of its format.
func ExampleDateTimeOf() {
	since := time.Date(2026, 7, 28, 9, 30, 0, 0, time.UTC)
	fmt.Println(format.DateTimeOf(since))
	// Output: 2026-07-28T09:30:00Z
}
