package main

// The life of an agent: it is spawned from a manifest, its servers are attached,
// their tools registered, and then it plans. Each step is an event, in the same
// stream as what happens to the servers.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/attach"
	"github.com/mcpgen/mcpgen/runtime/config"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/runtime/ledger"
	"github.com/mcpgen/mcpgen/runtime/live"
	"github.com/mcpgen/mcpgen/runtime/native"
)

// What happens to an agent, beside what happens to its servers.
const (
	EventState      event.Kind = "state"      // it is in State now
	EventRegistered event.Kind = "registered" // Tools can be called: Server's, or with "" its own
)

// The states of an agent.
const (
	Init   = "Init"   // its servers are being attached
	Plan   = "Plan"   // its tools can be called
	Closed = "Closed" // nothing of it runs any more
)

// Options are what an agent is given beside its manifest.
type Options struct {
	AuditFile string
	Timeout   endpoint.Timeouts // of each server; zero is the default
	Tools     []*native.Tool    // the agent's own tools, which it may call
	OnEvent   func(event.Event) // one call at a time, in order; nil tells nobody
}

// Agent is a running agent. Close it.
type Agent struct {
	Name     string
	Prompt   string // what its servers say of their use, for the system prompt
	Host     *live.Host
	Recorder *ledger.Recorder // which tools were enrolled, also when their server is gone

	tools registry
	mu    sync.Mutex // orders events
	tell  func(event.Event)
}

// Spawn starts the agent of a manifest. When it returns all of its servers are
// attached or have failed: those that failed are in the audit log and in
// Host.Err, and the agent works without their tools. The error is for what the
// agent cannot begin with: a manifest that says nothing sensible, an audit log
// that cannot be written.
func Spawn(ctx context.Context, manifest string, opts Options) (*Agent, error) {
	project, err := config.LoadServers(manifest)
	if err != nil {
		return nil, err
	}
	if len(project.Manifests) != 1 {
		return nil, fmt.Errorf("%s: this is not an agent manifest", manifest)
	}
	project.Audit = &config.Audit{File: opts.AuditFile} // in place of the one beside the manifest
	for i := range project.Servers {
		project.Servers[i].Timeout = opts.Timeout
	}
	a := &Agent{Name: project.Manifests[0].Name, tools: registry{}, tell: opts.OnEvent}
	if err := a.start(ctx, project, opts.Tools); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// start goes from Init to Plan.
func (a *Agent) start(ctx context.Context, project *config.Project, tools []*native.Tool) error {
	own, err := native.NewSet(tools...)
	if err != nil {
		return err
	}
	for _, t := range own.Specs() {
		project.Policy.Allow = append(project.Policy.Allow, "tool:/"+t.Name)
	}
	a.enter(Init)
	a.Host, err = live.Open(ctx, live.Options{Project: project, Attach: attach.Options{
		Middleware: []runtime.Middleware{own.Middleware()}, // behind the log and the gate
		OnEvent:    a.event,
	}})
	if err != nil {
		return err
	}
	if err := a.register(own); err != nil {
		return err
	}
	a.Prompt = a.Host.Instructions()
	a.enter(Plan)
	return nil
}

// register makes the tools callable by the names that a model sees, and enrols
// those of servers.
func (a *Agent) register(own *native.Set) error {
	remote, err := a.Host.Tools()
	if err != nil {
		return err
	}
	all := append(own.Tools(a.Host), remote...)
	if err := runtime.RegisterAll(a.tools, all...); err != nil {
		return err
	}
	a.Recorder = ledger.NewRecorder(ledger.Ledger{}, a.Host.Tools)
	if err := a.Recorder.Record(time.Now()); err != nil {
		return err
	}
	names := map[string][]string{}
	var servers []string
	for _, t := range all {
		spec := t.Spec()
		if names[spec.Server] == nil {
			servers = append(servers, spec.Server)
		}
		names[spec.Server] = append(names[spec.Server], spec.Tool)
	}
	for _, server := range servers {
		a.event(event.Event{Time: time.Now(), Kind: EventRegistered, Server: server, Tools: names[server]})
	}
	return nil
}

// Call carries out what a model asks for. That it may not, or that there is no
// such tool, is an error for the model to read, and not the end of the agent.
func (a *Agent) Call(ctx context.Context, name string, args json.RawMessage) (*runtime.Result, error) {
	tool, ok := a.tools[name]
	if !ok {
		return nil, fmt.Errorf("there is no tool %q", name)
	}
	return tool.Call(ctx, args)
}

// Close ends the agent, its servers and its log.
func (a *Agent) Close() error {
	var err error
	if a.Host != nil {
		err = a.Host.Close()
	}
	a.enter(Closed)
	return err
}

func (a *Agent) enter(state string) {
	a.event(event.Event{Time: time.Now(), Kind: EventState, State: state})
}

// event prints what happens, wherever it comes from: the agent, its host or its gate.
func (a *Agent) event(e event.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tell != nil {
		a.tell(e)
	}
}
