package endpoint

import (
	"cmp"
	"time"
)

// What a zero in [Timeouts] and [Limits] stands for.
const (
	DefaultStart   = 30 * time.Second
	DefaultCall    = 60 * time.Second
	DefaultInstall = 5 * time.Minute // the start of a server that a package runner may have to install
	DefaultMessage = 16 << 20        // bytes
	DefaultTools   = 10_000
	DefaultPages   = 1_000
	DefaultQueue   = 4 << 20  // bytes
	DefaultMemory  = 64 << 20 // bytes
	DefaultLog     = 600
)

// WithDefaults returns t with the defaults in place of zeros. Negative values
// stay as they are.
func (t Timeouts) WithDefaults() Timeouts {
	t.Start = cmp.Or(t.Start, DefaultStart)
	t.Call = cmp.Or(t.Call, DefaultCall)
	return t
}

// WithDefaults returns l with the defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	l.Message = cmp.Or(l.Message, DefaultMessage)
	l.Tools = cmp.Or(l.Tools, DefaultTools)
	l.Pages = cmp.Or(l.Pages, DefaultPages)
	l.Queue = cmp.Or(l.Queue, DefaultQueue)
	l.Memory = cmp.Or(l.Memory, DefaultMemory)
	l.Log = cmp.Or(l.Log, DefaultLog)
	return l
}
