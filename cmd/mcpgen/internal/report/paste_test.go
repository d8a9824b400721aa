package report

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/schema/drift"
)

// TestPaste gives the calls that the text shows to a real shell. The shell has to read the
// name of the tool and the witness as one word each, and nothing of a payload as a command.
func TestPaste(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash, for whose words the calls are written")
	}
	script := "mcpgen() { printf '%s\\0' \"$@\"; printf '\\0\\0'; }\n"
	var want []drift.Change
	for _, text := range hostileTexts(t) {
		if strings.ContainsRune(text, 0) {
			continue // no program can be given a zero byte
		}
		text = strings.ToValidUTF8(text, "\ufffd")
		for _, width := range []int{80, 40, 200} {
			c := reportFullOf(text).Servers[0].Changes[0]
			p := &page{width: width, o: &Options{}}
			p.command("s", &c)
			script += p.b.String() + "\n"
			want = append(want, c.Change)
		}
	}
	cmd := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile")
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	calls := bytes.Split(bytes.TrimSuffix(out, []byte("\x00\x00\x00")), []byte("\x00\x00\x00"))
	if len(calls) != len(want) {
		t.Fatalf("the shell made %d calls, want %d", len(calls), len(want))
	}
	for i, call := range calls {
		args := strings.Split(string(call), "\x00")
		if len(args) != 4 || args[0] != "call" || args[1] != "s/"+want[i].Name || args[2] != "--args" {
			t.Errorf("the shell read the words %q, want call, %q, --args and the witness", args, "s/"+want[i].Name)
			continue
		}
		var got, witness any
		if json.Unmarshal([]byte(args[3]), &got) != nil || json.Unmarshal(want[i].Witness, &witness) != nil || !reflect.DeepEqual(got, witness) {
			t.Errorf("%q: the shell read the arguments %q, want %s", want[i].Name, args[3], want[i].Witness)
		}
	}
}
