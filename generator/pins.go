package generator

// The decisions that the lock keeps.

import (
	"errors"
	"maps"
	"slices"

	"github.com/mcpgen/mcpgen/generator/internal/decide"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// CheckLock returns what is wrong with the decisions in a lock, joined: each is or wraps a
// [*schema.Error] whose pointer leads into the lock. Whether names fit their places is
// found where code is made: see [Generate].
func CheckLock(lock *lockfile.Lock) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(lock.Servers)) {
		errs = append(errs, decide.CheckPins(name, lock.Servers[name]))
	}
	return errors.Join(errs...)
}

// ServerPins are the decisions about one server that the lock keeps.
type ServerPins = decide.ServerPins

// PinnedServer reads what the lock keeps of a server; nothing of nil.
func PinnedServer(l *lockfile.LockedServer) ServerPins { return decide.PinnedServer(l) }

// PinServer writes what [PinnedServer] reads.
func PinServer(l *lockfile.LockedServer, p ServerPins) { decide.PinServer(l, p) }
