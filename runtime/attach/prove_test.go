package attach

// Tools whose proof takes long: pending, and then what the judge says.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/event"
	"github.com/mcpgen/mcpgen/schema"
)

// slowJudge does not decide about tools that differ before a listing is shown, and
// else only when it is let to.
type slowJudge struct {
	Judge
	asked chan string   // the tools that it works on
	goOn  chan struct{} // one for each
}

func newSlowJudge(manifests ...*codec.Manifest) *slowJudge {
	return &slowJudge{Judge: proving(manifests, nil), asked: make(chan string), goOn: make(chan struct{})}
}

// Manifests has an agent find the manifests through the judge around theirs.
func (j *slowJudge) Manifests(server string) []*codec.Manifest {
	return j.Judge.(interface {
		Manifests(server string) []*codec.Manifest
	}).Manifests(server)
}

func (j *slowJudge) Pinned(server string) Pinned {
	return slowPinned{j.Judge.Pinned(server), j}
}

type slowPinned struct {
	Pinned
	judge *slowJudge
}

func (p slowPinned) Compare(ctx context.Context, live []schema.Item, earlier map[string]Judged) map[string]Judged {
	judged := p.Pinned.Compare(ctx, live, earlier)
	for name, v := range judged {
		old := earlier[name]
		known := old.State != "" && old.State != Pending && string(old.Raw) == string(v.Raw)
		if !known && (v.State == Compatible || v.State == Changed) {
			v.Verdict = Verdict{Kind: v.Kind, Name: name, State: Pending, Rule: rulePending}
			judged[name] = v
		}
	}
	return judged
}

func (p slowPinned) Decide(ctx context.Context, live []schema.Item) []Verdict {
	var decided []Verdict
	for _, item := range live {
		select {
		case p.judge.asked <- item.Name:
		case <-ctx.Done():
			return nil
		}
		select {
		case <-p.judge.goOn:
		case <-ctx.Done():
			return nil
		}
		decided = append(decided, p.Pinned.Decide(ctx, []schema.Item{item})...)
	}
	return decided
}

// rulePending is the rule of what is not classified yet.
const rulePending = "contract-pending"

// waitForState waits for the judgement of a tool.
func waitForState(t *testing.T, events <-chan event.Event, tool string, state ToolState) {
	t.Helper()
	for {
		select {
		case e := <-events:
			if e.Kind == event.Drift && e.Tool == tool && e.State == string(state) {
				return
			}
		case <-t.Context().Done():
			t.Fatalf("%s never becomes %s", tool, state)
		}
	}
}

// shorter is the tool echo as code was generated against it: it takes less than
// the live one does. The other one takes more.
var (
	shorter = strings.Replace(echoTool, `{"text":{"type":"string"}},"required":["text"]},`, `{"text":{"type":"string","maxLength":5}},"required":["text"]},`, 1)
	looser  = strings.Replace(echoTool, `"required":["text"]},`, `"required":[]},`, 1)
)

// pendingHost attaches to a server whose tool echo differs from the pinned one.
func pendingHost(t *testing.T, pinned string) (*Host, *codec.Manifest, *slowJudge, <-chan event.Event) {
	t.Helper()
	m := pinnedManifest(t, "s", pinned, mutateTool)
	j, events := newSlowJudge(m), make(chan event.Event, 1000)
	h := connectAll(t, &Options{Judge: j, Refresh: -1, OnEvent: func(e event.Event) { events <- e }}, processServer(t, "mutable"))
	return h, m, j, events
}

// Connect does not wait for a slow proof. Its tool is quarantined until it is
// done, and then what it was proven to be; the others work at once.
func TestSlowProof(t *testing.T) {
	for name, c := range map[string]struct {
		pinned string
		state  ToolState
	}{"it serves": {shorter, Compatible}, "it does not": {looser, Changed}} {
		t.Run(name, func(t *testing.T) {
			h, m, j, events := pendingHost(t, c.pinned)
			check := func(state ToolState) {
				t.Helper()
				d := states(h)["echo"]
				if d.State != state || d.Allowed != (state == Compatible) || state == Pending && d.Rule != rulePending {
					t.Errorf("%+v", d)
				}
				checkDriftCall(t, string(state), callPinned(t, h, m, "echo"), d)
				if slices.Contains(offeredNames(t, h), "echo") != d.Allowed || (len(h.Status()[0].Problems) == 0) != d.Allowed {
					t.Errorf("%s: offered %q, problems %v", state, offeredNames(t, h), h.Status()[0].Problems)
				}
				if err := callPinned(t, h, m, "mutate"); err != nil {
					t.Errorf("%s: another tool: %v", state, err)
				}
			}
			check(Pending)
			<-j.asked
			listTools(t, h) // a listing meanwhile begins no second proof
			check(Pending)
			j.goOn <- struct{}{}
			waitForState(t, events, "echo", c.state)
			check(c.state)
			listTools(t, h) // nor does one afterwards
			check(c.state)
			if n := h.serverState("s"); len(n.listed.pending(1)) != 0 {
				t.Errorf("%d judgements are pending, want none", len(n.listed.pending(1)))
			}
		})
	}
}

// A proof about a definition that is not listed any more says nothing about the
// one that is.
func TestSlowProofOfWhatChanged(t *testing.T) {
	h, m, j, events := pendingHost(t, shorter)
	<-j.asked
	change(t, h, 0, strings.Replace(shorter, `5}`, `3}`, 1))
	listTools(t, h)
	j.goOn <- struct{}{} // about the definition before
	<-j.asked
	if d := states(h)["echo"]; d.State != Pending {
		t.Errorf("%+v", d)
	}
	j.goOn <- struct{}{}
	waitForState(t, events, "echo", Changed)
	if err := callPinned(t, h, m, "echo"); !errors.Is(err, runtime.ErrDrift) {
		t.Error(err)
	}
}

// Close ends a proof that is under way.
func TestCloseDuringAProof(t *testing.T) {
	h, _, j, _ := pendingHost(t, shorter)
	<-j.asked
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if d := h.serverState("s").listed.verdict("echo"); d.State != Pending {
		t.Errorf("%s", d)
	}
}
