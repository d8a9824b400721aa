// Package logs reads the logs of a project: the audit log and the ledger.
package logs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/audit"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/ledger"
)

// LedgerFile returns the path of the project's ledger. The error says how to get one.
func LedgerFile(project *config.Project) (string, error) {
	if project.Ledger == "" {
		return "", hint.With(fmt.Errorf("%s: there is no ledger", placeIn(project)),
			"add this line to the configuration: ledger: {}")
	}
	return project.Ledger, nil
}

// ReadLedger returns the runs of a ledger and its damaged lines. A missing ledger has no runs.
func ReadLedger(file string) ([]ledger.Run, []ledger.Damage, error) {
	runs, damaged, err := ledger.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	return runs, damaged, err
}

// RunTools are the tools of one run at a time.
type RunTools struct {
	Run   string            `json:"run"`
	PID   int               `json:"pid,omitempty"`
	Tools []ledger.Enrolled `json:"tools"`
}

// ToolsAt returns the tools of each run at a time, for servers whose names match a pattern; without
// patterns for all servers. Runs without tools at that time are omitted.
func ToolsAt(runs []ledger.Run, at time.Time, servers []string) []RunTools {
	wanted := audit.Filter{Servers: servers}
	var all []RunTools
	for _, r := range runs {
		tools := slices.DeleteFunc(r.Ledger.At(at).Live(), func(e ledger.Enrolled) bool {
			return !wanted.Match(audit.Record{Server: e.Server})
		})
		if len(tools) > 0 {
			all = append(all, RunTools{r.ID, r.PID, tools})
		}
	}
	return all
}

// LastEnrolled returns the last time at which a run got a tool that it still had at the end of that
// millisecond, the precision of the ledger; zero if there is none.
func LastEnrolled(runs []ledger.Run) (last time.Time) {
	for _, r := range runs {
		for _, e := range slices.Backward(r.Ledger.Log()) {
			if e.Op == ledger.OpEnroll && e.At.After(last) && len(r.Ledger.At(e.At).Live()) > 0 {
				last = e.At
				break
			}
		}
	}
	return last
}

// CallSeen is a call of a tool with the tools that the agent had at that time.
type CallSeen struct {
	Call       audit.Record       `json:"call"`
	Key        string             `json:"key,omitempty"`        // content key of the tool; "" if the agent had none
	Definition *ledger.Capability `json:"definition,omitempty"` // the tool as the agent had it
	Tools      []ToolHeld         `json:"tools"`                // all tools that it had
	Unknown    string             `json:"unknown,omitempty"`    // why the ledger does not know the tools
}

// ToolHeld names a tool that an agent had.
type ToolHeld struct {
	Name   string `json:"name"`
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Key    string `json:"key"`
}

// SeeCall finds the tools that the agent had when it made a call.
func SeeCall(runs []ledger.Run, call audit.Record) CallSeen {
	seen := CallSeen{Call: call, Tools: []ToolHeld{}}
	if call.Run == "" {
		seen.Unknown = "no ledger was kept"
		return seen
	}
	i := slices.IndexFunc(runs, func(r ledger.Run) bool { return r.ID == call.Run })
	if i < 0 {
		seen.Unknown = "the ledger does not have the run of this call"
		return seen
	}
	for _, e := range runs[i].Ledger.UpTo(call.Seq).Live() {
		seen.Tools = append(seen.Tools, ToolHeld{e.Capability.Name, e.Server, e.Capability.Tool, e.Key})
		// A tool has one key at a time, unless a program enrolled it with several: then the key of the call
		// counts.
		if e.Server == call.Server && e.Capability.Tool == call.Tool && (seen.Definition == nil || e.Key == call.Key) {
			seen.Key, seen.Definition = e.Key, &e.Capability
		}
	}
	return seen
}

// AuditFile returns the path of the project's audit log. The error says how to get one.
func AuditFile(project *config.Project) (string, error) {
	if project.Audit == nil {
		return "", hint.With(fmt.Errorf("%s: there is no audit log", placeIn(project)), "add this line: audit: {}")
	}
	return project.Audit.File, nil
}

// ReadAudit calls f for each record of a log that matches the filter, the oldest first. Damaged is the
// number of lines without a record. A missing log has no records.
func ReadAudit(file string, filter audit.Filter, f func(audit.Record) error) (damaged int, err error) {
	for r, err := range audit.Read(file, filter) {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		if err == nil {
			err = f(r)
		}
		if err != nil {
			return 0, err
		}
	}
	damaged, err = audit.Damaged(file)
	return damaged, err
}

// placeIn is the place for errors about a missing line in the configuration, even if there is no file yet.
func placeIn(project *config.Project) string {
	return cmp.Or(project.Path, "mcpgen.yaml (mcpgen init writes one)")
}
