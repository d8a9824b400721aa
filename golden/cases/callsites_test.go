package cases_test

// Call sites as a user writes them, one for each feature of JSON Schema that is
// hard in Go: no helper but runtime.Some and runtime.Null, no assertion, no
// variable that only holds a value for its address. That they compile is half of
// the test; the other half is what they put on the wire, and that a fake or a
// replay reads the same arguments from it.

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mcpgen/mcpgen/golden/cases/types"
	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/format"
)

// callSite is a call that shows one feature. Of what is sent, the members that are
// in wire have to be as they are there; one that is "absent" has not to be sent.
type callSite struct {
	feature, wire string
	args          any
}

// sendShapes sets the unions that are required, where they are not what is shown.
func sendShapes(feature, wire string, args types.SendShapesArgs) callSite {
	if args.Target == nil {
		args.Target = types.TargetWorkspace{}
	}
	if args.Value == nil {
		args.Value = types.ShapeValueString("")
	}
	return callSite{feature, wire, args}
}

// putValues sets the enum that is required, where it is not what is shown.
func putValues(feature, wire string, args types.PutValuesArgs) callSite {
	if args.State == "" {
		args.State = types.StateOpen
	}
	return callSite{feature, wire, args}
}

func (c callSite) call(ctx context.Context, inv runtime.Invoker) error {
	var err error
	switch args := c.args.(type) {
	case types.PutValuesArgs:
		_, err = types.New(inv).PutValues(ctx, args)
	case types.SendShapesArgs:
		_, err = types.New(inv).SendShapes(ctx, args)
	}
	return err
}

func callSites() []callSite {
	return []callSite{
		putValues("required list and map", `{"limits":{},"tags":[]}`, types.PutValuesArgs{}),
		putValues("required and nullable, null", `{"owner":null}`, types.PutValuesArgs{Owner: nil}),
		putValues("required and nullable, a value", `{"owner":"me"}`, types.PutValuesArgs{Owner: new("me")}),
		putValues("required and nullable list and map, null", `{"members":null,"quotas":null}`, types.PutValuesArgs{}),
		putValues("required and nullable list, empty", `{"members":[]}`, types.PutValuesArgs{Members: []string{}}),
		putValues("optional, absent", `{"note":"absent"}`, types.PutValuesArgs{}),
		putValues("optional, zero", `{"note":""}`, types.PutValuesArgs{Note: new("")}),
		putValues("optional, zero is the default", `{"limit":"absent"}`, types.PutValuesArgs{Limit: 0}),
		putValues("optional, zero is the default, a value", `{"limit":3}`, types.PutValuesArgs{Limit: 3}),
		putValues("optional, zero is not valid", `{"page":2}`, types.PutValuesArgs{Page: 2}),
		putValues("optional and nullable, null", `{"assignee":null}`, types.PutValuesArgs{Assignee: runtime.Null[string]()}),
		putValues("optional and nullable, a value", `{"assignee":"me"}`, types.PutValuesArgs{Assignee: runtime.Some("me")}),
		putValues("optional list, empty", `{"labels":[]}`, types.PutValuesArgs{Labels: []string{}}),
		putValues("enum", `{"state":"open"}`, types.PutValuesArgs{State: types.StateOpen}),
		putValues("enum, a value of tomorrow", `{"state":"merged"}`, types.PutValuesArgs{State: "merged"}),
		putValues("enum of integers", `{"level":2}`, types.PutValuesArgs{Level: types.Level2}),
		putValues("nullable enum", `{"color":"red"}`, types.PutValuesArgs{Color: runtime.Some(types.ColorRed)}),
		putValues("const", `{"kind":"value"}`, types.PutValuesArgs{Kind: types.KindValue}),
		putValues("untyped", `{"anything":{"deep":[1,null]}}`, types.PutValuesArgs{Anything: map[string]any{"deep": []any{1, nil}}}),
		putValues("large integers", `{"big":9007199254740993,"huge":18446744073709551615}`,
			types.PutValuesArgs{Big: 9007199254740993, Huge: new(uint64(18446744073709551615))}),
		putValues("text format", `{"since":"2026-01-02T03:04:05.120Z"}`, types.PutValuesArgs{Since: new(format.DateTime("2026-01-02T03:04:05.120Z"))}),
		putValues("recursion", `{"parent":{"label":"a","next":{"label":"b"},"children":[{"label":"c"}]}}`,
			types.PutValuesArgs{Parent: types.Node{Label: "a", Next: &types.Node{Label: "b"},
				Children: []types.Node{{Label: "c"}}}}),
		putValues("undeclared members", `{"open":{"a":"x","b":1}}`,
			types.PutValuesArgs{Open: &types.Open{A: new("x"), Extra: map[string]any{"b": 1}}}),

		sendShapes("union by a constant", `{"target":{"type":"page","page_id":"p"}}`,
			types.SendShapesArgs{Target: types.TargetPage{PageID: "p"}}),
		sendShapes("union by a constant, nothing else", `{"target":{"type":"workspace"}}`,
			types.SendShapesArgs{Target: types.TargetWorkspace{}}),
		sendShapes("union by kind, string", `{"value":"v"}`, types.SendShapesArgs{Value: types.ShapeValueString("v")}),
		sendShapes("union by kind, number", `{"value":1.5}`, types.SendShapesArgs{Value: types.ShapeValueNumber(1.5)}),
		sendShapes("union by kind, boolean", `{"value":false}`, types.SendShapesArgs{Value: types.ShapeValueBool(false)}),
		sendShapes("union by kind, list", `{"value":["a"]}`, types.SendShapesArgs{Value: types.ShapeValueList{"a"}}),
		sendShapes("union by kind, object", `{"value":{"unit":"m"}}`, types.SendShapesArgs{Value: types.ShapeValueObject{Unit: "m"}}),
		sendShapes("union by a member", `{"subject":{"team_id":"t","role":"admin"}}`,
			types.SendShapesArgs{Subject: types.SubjectTeamID{TeamID: "t", Role: types.RoleAdmin}}),
		sendShapes("union by trial", `{"rule":{"min":"a","until":"b"}}`,
			types.SendShapesArgs{Rule: types.RuleUntil{Min: new("a"), Until: new("b")}}),
		sendShapes("union that no variant fits", `{"target":{"type":"block"}}`,
			types.SendShapesArgs{Target: types.TargetOther{RawMessage: []byte(`{"type":"block"}`)}}),
		sendShapes("required and nullable union, null", `{"move":{"to":null}}`,
			types.SendShapesArgs{Move: &types.Move{To: nil}}),
		sendShapes("required and nullable union, a value", `{"move":{"to":{"type":"workspace"}}}`,
			types.SendShapesArgs{Move: &types.Move{To: types.TargetWorkspace{}}}),
		sendShapes("optional union, absent", `{"subject":"absent","fallback":"absent"}`, types.SendShapesArgs{}),
		sendShapes("optional and nullable union, null", `{"fallback":null}`,
			types.SendShapesArgs{Fallback: runtime.Null[types.Target]()}),
		sendShapes("optional and nullable union, a value", `{"fallback":{"type":"workspace"}}`,
			types.SendShapesArgs{Fallback: runtime.Some[types.Target](types.TargetWorkspace{})}),
		sendShapes("union in a list, and in itself", `{"blocks":[{"kind":"text","text":"a"},{"kind":"group","blocks":[{"kind":"text","text":"b"}]}]}`,
			types.SendShapesArgs{Blocks: []types.Block{
				types.BlockText{Text: "a"},
				types.BlockGroup{Blocks: []types.Block{types.BlockText{Text: "b"}}},
			}}),
		sendShapes("union in a map", `{"by_name":{"a":{"type":"page","page_id":"p"}}}`,
			types.SendShapesArgs{ByName: map[string]types.Target{"a": types.TargetPage{PageID: "p"}}}),
		sendShapes("any JSON, as a recursive union", `{"tree":{"a":["b",{}]}}`,
			types.SendShapesArgs{Tree: types.ShapeTreeMap{"a": types.ShapeTreeList{
				types.ShapeTreeString("b"), types.ShapeTreeMap{}}}}),
		sendShapes("enum of several kinds", `{"mixed":2}`, types.SendShapesArgs{Mixed: types.MixedInt2}),
		sendShapes("const true", `{"strict":true}`, types.SendShapesArgs{Strict: types.MixedBoolTrue}),
		sendShapes("tuple of one type", `{"point":[1,2.5]}`, types.SendShapesArgs{Point: [2]float64{1, 2.5}}),
		sendShapes("tuple, shortest", `{"row":["a"]}`, types.SendShapesArgs{Row: &types.Row{Item0: "a"}}),
		sendShapes("tuple with a rest", `{"row":["a",0,"b","c"]}`,
			types.SendShapesArgs{Row: &types.Row{Item0: "a", Item1: new(0), Rest: []string{"b", "c"}}}),
		sendShapes("nullable lists in a list", `{"grid":[[],null,[1]]}`, types.SendShapesArgs{Grid: []*[]int{{}, nil, {1}}}),
		sendShapes("members by pattern", `{"labels":{"id":"i","x-a":1}}`,
			types.SendShapesArgs{Labels: &types.Labels{ID: new("i"), Extra: map[string]int{"x-a": 1}}}),
		sendShapes("allOf", `{"both":{"a":"x","b":1}}`, types.SendShapesArgs{Both: &types.Both{A: "x", B: 1}}),
		sendShapes("names that no tag can hold", `{"a\"b":0,"":"e"}`, types.SendShapesArgs{AB: new(0), Empty: new("e")}),
	}
}

func TestCallSites(t *testing.T) {
	for _, site := range callSites() {
		t.Run(site.feature, func(t *testing.T) {
			rec := &recorder{answer: `{}`}
			if err := site.call(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			checkMembers(t, rec.last.Args, site.wire)

			back := reflect.New(reflect.TypeOf(site.args))
			if err := codec.DecodeValue(rec.last.Args, back.Interface()); err != nil {
				t.Fatal(err)
			}
			again, err := codec.EncodeValue(back.Interface())
			if err != nil || string(again) != string(rec.last.Args) {
				t.Errorf("%s came back as %s, %v", rec.last.Args, again, err)
			}
			sameTypes(t, back.Elem(), reflect.ValueOf(site.args))
		})
	}
}

func checkMembers(t *testing.T, sent []byte, want string) {
	t.Helper()
	var got, members map[string]json.RawMessage
	if err := json.Unmarshal(sent, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &members); err != nil {
		t.Fatal(err)
	}
	for name, value := range members {
		switch raw, there := got[name]; {
		case string(value) == `"absent"`:
			if there {
				t.Errorf("%q is sent: %s", name, raw)
			}
		case !there:
			t.Errorf("%q is not sent", name)
		case string(raw) != string(value):
			t.Errorf("%q is sent as %s, want %s", name, raw, value)
		}
	}
}

// sameTypes wants what was read to be of the types that were written: the same
// variants. An any is read as what JSON has.
func sameTypes(t *testing.T, got, want reflect.Value) {
	t.Helper()
	for i := range want.NumField() {
		field := want.Type().Field(i)
		if w := want.Field(i); !w.IsZero() && field.Name != "Anything" && field.Name != "Open" && !reflect.DeepEqual(got.Field(i).Interface(), w.Interface()) {
			t.Errorf("%s: got %#v, want %#v", field.Name, got.Field(i), w)
		}
	}
}

// The results of those tools are told apart without an assertion on the way in.
func TestUnionResults(t *testing.T) {
	for answer, want := range map[string]types.GetShapeResult{
		`{"shape":"circle","radius":1.5,"color":"red"}`: types.Circle{Radius: 1.5, Extra: map[string]json.RawMessage{"color": json.RawMessage(`"red"`)}},
		`{"shape":"square","side":2}`:                   types.Square{Side: 2},
		`{"shape":"line","length":3}`:                   types.GetShapeResultOther{RawMessage: json.RawMessage(`{"shape":"line","length":3}`)},
	} {
		got, err := types.New(&recorder{answer: answer}).GetShape(t.Context(), types.GetShapeArgs{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %#v, %v, want %#v", got, err, want)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, text, answer)
	}
	list, err := types.New(&recorder{answer: `["a",{"at":["b",1]},7]`}).ListShapes(t.Context(), types.ListShapesArgs{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, item := range list {
		switch item := item.(type) {
		case types.ShapeItemString:
			names = append(names, string(item))
		case types.ShapeItemObject:
			names = append(names, item.At.Item0)
		case types.ShapeItemOther:
			names = append(names, "other "+string(item.RawMessage))
		}
	}
	if !reflect.DeepEqual(names, []string{"a", "b", "other 7"}) {
		t.Errorf("got %q", names)
	}
}
