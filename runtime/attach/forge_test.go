package attach

// Answers that the server did not mean to give.

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
	"github.com/mcpgen/mcpgen/runtime/protocol"
)

// What a third party gets into a server's log answers no call and reports no
// progress: nobody who has not seen an id can guess one.
func TestForgedAnswers(t *testing.T) {
	t.Parallel()
	h := connectReady(t, processServer(t, "forge"))
	for range 5 {
		progress := 0
		res, err := h.Invoke(t.Context(), runtime.Request{Server: "s", Method: protocol.MethodCallTool, Name: "echo",
			Args: []byte(`{"text":"x"}`), Options: runtime.Options{OnProgress: func(runtime.Progress) { progress++ }}})
		if err != nil || string(res.Structured) != `{"text":"x"}` || progress != 0 {
			t.Fatalf("result %v, error %v, %d progress notifications", res, err, progress)
		}
	}
}

// An answer behind the rest of another line fails its call at once, and says
// what stood there. A log of the call itself does nothing.
func TestAnswerBehindOtherText(t *testing.T) {
	t.Parallel()
	const secret = "sesame-sesame-sesame"
	s := processServer(t, "behind", "-canary", secret)
	processOf(s).Env = append(processOf(s).Env, endpoint.Var{Name: "TOKEN", Value: "${secret:token}"})
	s.Expand = func(_ endpoint.Field, text string, lookup endpoint.Lookup) (string, error) {
		if text == "${secret:token}" {
			text, _ = lookup(endpoint.Reference{Kind: endpoint.ReferenceSecret, Name: "token"})
		}
		return text, nil
	}
	s.Secret = func(string, endpoint.Reference) (string, error) { return secret, nil }
	h := connectReady(t, s)
	err := echo(t.Context(), h)
	checkError(t, err, "same line", "INFO token=***", "stderr")
	var ce *runtime.CallError
	if !errors.As(err, &ce) || !ce.Sent || errors.Is(err, runtime.ErrTimeout) || strings.Contains(err.Error(), secret) {
		t.Errorf("error %#v", err)
	}
	if st := h.Status()[0]; st.State != Ready {
		t.Errorf("state %s, %v", st.State, st.Err)
	}
}
