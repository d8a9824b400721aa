// Package project makes a project of a snapshot as mcpgen does when it locks a
// server: for tests and measurements that start where generate does.
package project

import (
	"context"

	"github.com/mcpgen/mcpgen/generator"
	"github.com/mcpgen/mcpgen/runtime/naming"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// Lock accepts a snapshot and names its tools. The error is that of a surface
// that cannot be locked.
func Lock(s *schema.Snapshot) (generator.Server, error) { return Update(generator.Server{}, s) }

// Update accepts a snapshot in place of what was locked before.
func Update(before generator.Server, s *schema.Snapshot) (generator.Server, error) {
	l, err := lockfile.LockSnapshot(s)
	if err != nil {
		return generator.Server{}, err
	}
	s = l.KeepOrder(s, before.Locked, before.Snapshot)
	server := generator.Server{Name: s.Server, Snapshot: s, Locked: l, Names: map[string]string{}, PlaceNames: before.PlaceNames}
	if err := generator.AssignNames(context.Background(), server, before.Locked, before.Snapshot, nil); err != nil {
		return generator.Server{}, err
	}
	if err := generator.KeepOldNames(context.Background(), before, server, nil); err != nil {
		return generator.Server{}, err
	}
	for _, it := range s.Tools {
		server.Names[it.Name] = naming.DoubleUnderscore.Qualify(s.Server, it.Name)
	}
	return server, nil
}

// LockFile is the lock of servers, as the file of that name.
func LockFile(name string, servers ...generator.Server) generator.File {
	l := lockfile.NewLock()
	for _, s := range servers {
		l.Servers[s.Name] = s.Locked
	}
	return generator.File{Path: name, Data: l.Encode()}
}
