package generator

// What the lock keeps of decisions, for whoever reads and writes it.

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

// PinnedPackage is the Go package name that the lock keeps of a server, because another
// one asked for the same when it was first locked; "" is the one made of its name.
func PinnedPackage(l *lockfile.LockedServer) string { return decide.PinnedPackage(l) }

// PinPackage writes the name that [PinnedPackage] reads; "" removes it.
func PinPackage(l *lockfile.LockedServer, name string) { decide.PinPackage(l, name) }
