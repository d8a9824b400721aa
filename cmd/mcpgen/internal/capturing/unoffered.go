package capturing

// This file handles client capabilities: servers may offer more to a client that declares more.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/console"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/inputs"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/locks"
	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/report"
	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/schema"
	"github.com/mcpgen/mcpgen/schema/lockfile"
)

// declared returns the capabilities that commands declare to a server: by default none, since commands
// answer no requests.
func declared(s endpoint.Server) endpoint.Offers { return *cmp.Or(s.Client, &endpoint.Offers{}) }

// WithUnoffered adds to a live surface the locked items that the server does not list because fewer
// capabilities are declared than when it was locked, and returns these items.
func WithUnoffered(locked, now *schema.Snapshot) (*schema.Snapshot, []report.Unoffered) {
	needs := endpoint.OffersOf(locked.ClientCapabilities).Beyond(endpoint.OffersOf(now.ClientCapabilities))
	if needs == nil {
		return now, nil
	}
	all := *now
	var unoffered []report.Unoffered
	for it := range locked.Items() {
		list := all.List(it.Kind)
		if !slices.ContainsFunc(*now.List(it.Kind), func(other schema.Item) bool { return other.Name == it.Name }) {
			*list = append(slices.Clip(*list), it)
			unoffered = append(unoffered, report.Unoffered{Kind: it.Kind, Name: it.Name, Needs: needs})
		}
	}
	all.Sort()
	return &all, unoffered
}

// Needs returns the capabilities that were declared to a server when it was locked, but are not now.
func Needs(project *config.Project, lock *lockfile.Lock, server string) []string {
	servers, _ := project.Only([]string{server})
	if lock.Servers[server] == nil || len(servers) == 0 {
		return nil
	}
	return endpoint.OffersOf(lock.Servers[server].ClientCapabilities).Beyond(declared(servers[0]))
}

// NoteClients prints the selected servers to which other capabilities are declared than when they were
// locked: their code belongs to the earlier offer.
func NoteClients(con *console.Console, st *locks.State) {
	for _, s := range st.Selected() {
		locked := st.Lock.Servers[s.Name]
		if locked == nil || st.Project.Build[s.Name].From != "" {
			continue
		}
		if was, now := endpoint.OffersOf(locked.ClientCapabilities), declared(s); was != now {
			con.Note("%s: the key client was %v when the server was locked and is now %v, "+
				"so the server may offer other items; mcpgen update %s lists them", s.Name, was, now, hint.Word(s.Name))
		}
	}
}

// allOffers declares every capability.
var allOffers = endpoint.Offers{Forms: true, Pages: true, Sampling: true, Roots: true}

// More lists what a server only offers to a client with all capabilities.
type More struct {
	Server string
	Items  []string // such as "tool ask"
}

// More lists the selected servers again with all capabilities declared, and returns what they offer
// beyond the lock. The error names the servers that could not be listed.
func (cl *Client) More(ctx context.Context) ([]More, error) {
	if err := cl.Read(ctx, cl.Console); err != nil { // including what was just locked
		return nil, err
	}
	locked, err := cl.LockedSnapshots()
	if err != nil {
		return nil, err
	}
	again, state, project := *cl, *cl.State, *cl.Project
	again.Servers, state.Project, project.Servers = inputs.NewServers(&state), &project, nil
	for _, s := range cl.Selected() {
		if all := allOffers; locked[s.Name] != nil && declared(s) != all && cl.Project.Build[s.Name].From == "" {
			s.Client = &all
			project.Servers = append(project.Servers, s)
		}
	}
	captures, err := again.Capture(ctx, project.Servers, live.Options{})
	errs := []error{err}
	var out []More
	for _, c := range captures {
		if c.Err != nil {
			errs = append(errs, c.Err)
			continue
		}
		one := More{Server: c.Server.Name}
		for it := range c.Snapshot.Items() {
			same := func(other schema.Item) bool { return other.Name == it.Name }
			if !slices.ContainsFunc(*locked[one.Server].List(it.Kind), same) {
				one.Items = append(one.Items, string(it.Kind)+" "+it.Name)
			}
		}
		if one.Items != nil {
			out = append(out, one)
		}
	}
	return out, errors.Join(errs...)
}
