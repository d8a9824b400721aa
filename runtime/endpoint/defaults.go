package endpoint

import "time"

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
	if t.Start == 0 {
		t.Start = DefaultStart
	}
	if t.Call == 0 {
		t.Call = DefaultCall
	}
	return t
}

// WithDefaults returns l with the defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	if l.Message == 0 {
		l.Message = DefaultMessage
	}
	if l.Tools == 0 {
		l.Tools = DefaultTools
	}
	if l.Pages == 0 {
		l.Pages = DefaultPages
	}
	if l.Queue == 0 {
		l.Queue = DefaultQueue
	}
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	if l.Log == 0 {
		l.Log = DefaultLog
	}
	return l
}
