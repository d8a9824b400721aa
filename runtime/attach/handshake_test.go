package attach

// What is said of servers that answer a handshake or a listing badly.

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/hint"
	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// badServer answers each method with the members in answers. It does not find others.
func badServer(t *testing.T, answers map[string]string) endpoint.Server {
	return endpoint.Server{Name: "s", Launch: &endpoint.Address{Transport: endpoint.HTTP, URL: serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		switch _ = json.NewDecoder(r.Body).Decode(&m); {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		default:
			answer := answers[m.Method]
			if answer == "" {
				answer = `"error":{"code":-32601,"message":"nope"}`
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer)
		}
	}))}}
}

func TestBadHandshakes(t *testing.T) {
	const (
		good   = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		bug    = "report the bug to its author"
		update = "update "
	)
	for name, c := range map[string]struct {
		initialize, discover, list string
		want, step                 string
	}{
		"version of another type": {strings.Replace(good, `"1"`, `1.0`, 1), "", "", `the result of initialize: /serverInfo/version is a number, not a string`, bug},
		"capability true":         {strings.Replace(good, `{"tools":{}}`, `{"tools":true}`, 1), "", "", `the result of initialize: /capabilities/tools is a boolean, not an object`, bug},
		"listChanged":             {strings.Replace(good, `{"tools":{}}`, `{"tools":{"listChanged":1}}`, 1), "", "", `/capabilities/tools/listChanged is a number, not a boolean`, bug},
		"icons":                   {strings.Replace(good, `"name":"s"`, `"name":"s","icons":[5]`, 1), "", "", `the result of initialize: /serverInfo/icons is a number, not an object`, bug},
		"an array":                {`"result":[]`, "", "", `the result of initialize is an array, not an object`, bug},
		"null":                    {`"result":null`, "", "", `the result of initialize is null, not an object`, bug},
		"no revision":             {`"result":{"capabilities":{}}`, "", "", `the result of initialize: /protocolVersion is nothing, not a string`, bug},
		"older":                   {strings.Replace(good, "2025-11-25", "2024-10-07", 1), "", "", `the server speaks revision 2024-10-07 of the protocol, mcpgen 2026-07-28, 2025-11-25, `, update},
		"newer":                   {strings.Replace(good, "2025-11-25", "2099-01-01", 1), "", "", `revision 2099-01-01`, update},
		"hostile":                 {strings.Replace(good, "2025-11-25", `\u001b[31m`+strings.Repeat("x", 9000), 1), "", "", `the server speaks revision`, update},
		"discovered newer":        {"", `"result":{"supportedVersions":["2099-01-01","2098-01-01"],"capabilities":{}}`, "", `the server speaks revisions 2099-01-01, 2098-01-01 of the protocol, mcpgen 2026-07-28`, update},
		"refused newer":           {"", `"error":{"code":-32022,"message":"no","data":{"supported":["2099-01-01"]}}`, "", `nope (code -32601)`, ""},
		"initialize refused":      {`"error":{"code":-32022,"message":"no","data":{"supported":["2099-01-01"]}}`, "", "", `revision 2099-01-01`, update},
		"discovered nothing":      {"", `"result":{"supportedVersions":5,"capabilities":{}}`, "", `the result of server/discover: /supportedVersions is a number, not an array`, bug},
		"no list":                 {good, "", "", `nope (code -32601)`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := badServer(t, map[string]string{"initialize": c.initialize, "server/discover": c.discover, "tools/list": c.list})
			err := connectFailing(t, s)
			checkError(t, err, c.want, c.step)
			if _, ok := errors.AsType[hint.Stepper](err); !ok || strings.Contains(err.Error(), "mcp.") || len(err.Error()) > 1000 {
				t.Errorf("no step, or words of Go: %v", err)
			}
		})
	}
}
