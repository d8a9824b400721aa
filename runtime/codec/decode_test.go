package codec_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
)

// The types below have the shape of generated ones.

type repo struct {
	ID        int64                      `json:"id"`
	Name      string                     `json:"name"`
	Stars     *int64                     `json:"stars"`
	State     state                      `json:"state,omitzero"`
	Owner     *owner                     `json:"owner,omitempty"`
	Labels    []string                   `json:"labels,omitzero"`
	Sizes     map[string]uint8           `json:"sizes,omitzero"`
	Milestone runtime.Opt[int]           `json:"milestone,omitzero"`
	Any       any                        `json:"any,omitzero"`
	Raw       json.RawMessage            `json:"raw,omitzero"`
	Point     [2]float64                 `json:"point,omitzero"`
	Extra     map[string]json.RawMessage `json:"-"`
}

func (x *repo) UnmarshalJSON(b []byte) error {
	type plain repo
	return codec.DecodeObject(b, (*plain)(x), &x.Extra)
}

func (x repo) MarshalJSON() ([]byte, error) {
	type plain repo
	return codec.EncodeObject(plain(x), x.Extra)
}

type state string

type owner struct {
	Login string `json:"login"`
	Admin bool   `json:"admin,omitzero"`
	Repos []repo `json:"repos,omitzero"`
}

func (x *owner) UnmarshalJSON(b []byte) error {
	type plain owner
	return codec.DecodeObject(b, (*plain)(x), nil)
}

const least = `"id":1,"name":"n","stars":null`

func TestDecodeObject(t *testing.T) {
	tests := []struct {
		name, in string
		want     repo
	}{
		{"required only", `{` + least + `}`, repo{ID: 1, Name: "n"}},
		{"white space", " \n{ \"id\" :\t1 , \"name\":\r\"n\" , \"stars\" : null } ", repo{ID: 1, Name: "n"}},
		{"unknown members", `{` + least + `,"x":[1.50],"é\n":null}`, repo{ID: 1, Name: "n",
			Extra: map[string]json.RawMessage{"x": json.RawMessage("[1.50]"), "é\n": json.RawMessage("null")}}},
		{"names match exactly", `{` + least + `,"ID":2,"Name":"no"}`, repo{ID: 1, Name: "n",
			Extra: map[string]json.RawMessage{"ID": json.RawMessage("2"), "Name": json.RawMessage(`"no"`)}}},
		{"escaped name", `{"\u0069d":1,"name":"n","stars":7}`, repo{ID: 1, Name: "n", Stars: new(int64(7))}},
		{"last of two wins", `{` + least + `,"id":2,"owner":{"login":"a","admin":true},"owner":{"login":"b"}}`,
			repo{ID: 2, Name: "n", Owner: &owner{Login: "b"}}},
		{"last of two unknown wins", `{` + least + `,"x":1,"x":2}`, repo{ID: 1, Name: "n",
			Extra: map[string]json.RawMessage{"x": json.RawMessage("2")}}},
		{"integer spellings", `{"id":1e3,"name":"n","stars":12.00,"sizes":{"a":2.55e2}}`,
			repo{ID: 1000, Name: "n", Stars: new(int64(12)), Sizes: map[string]uint8{"a": 255}}},
		{"exact", `{"id":9007199254740993,"name":"n","stars":9223372036854775807}`,
			repo{ID: 9007199254740993, Name: "n", Stars: new(int64(math.MaxInt64))}},
		{"exact with an exponent", `{"id":900719925474099.3e1,"name":"n","stars":-922337203685477580.8E+1}`,
			repo{ID: 9007199254740993, Name: "n", Stars: new(int64(math.MinInt64))}},
		{"zero in every spelling", `{"id":-0,"name":"n","stars":0.0e-99999999999999999999}`, repo{Name: "n", Stars: new(int64)}},
		{"optional null is absent", `{` + least + `,"state":null,"owner":null,"labels":null,"sizes":null,"point":null}`,
			repo{ID: 1, Name: "n"}},
		{"null that means something", `{` + least + `,"milestone":null,"raw":null,"any":null}`,
			repo{ID: 1, Name: "n", Milestone: runtime.Null[int](), Raw: json.RawMessage("null")}},
		{"option", `{` + least + `,"milestone":3.0}`, repo{ID: 1, Name: "n", Milestone: runtime.Some(3)}},
		{"any keeps digits", `{` + least + `,"any":[9007199254740993,1.0]}`,
			repo{ID: 1, Name: "n", Any: []any{json.Number("9007199254740993"), json.Number("1.0")}}},
		{"raw keeps spelling", `{` + least + `,"raw":{ "a":1.0 }}`, repo{ID: 1, Name: "n", Raw: json.RawMessage(`{ "a":1.0 }`)}},
		{"strings", `{"id":1,"name":"\ud83d\ude00 \"\\\/ é","stars":null,"state":"new one","labels":["","a"]}`,
			repo{ID: 1, Name: `😀 "\/ é`, State: "new one", Labels: []string{"", "a"}}},
		{"bytes that are not UTF-8", "{\"id\":1,\"name\":\"a\xffb\",\"stars\":null,\"\xff\":0}", repo{ID: 1, Name: "a\uFFFDb",
			Extra: map[string]json.RawMessage{"\uFFFD": json.RawMessage("0")}}},
		{"empty containers", `{` + least + `,"labels":[ ],"sizes":{ }}`,
			repo{ID: 1, Name: "n", Labels: []string{}, Sizes: map[string]uint8{}}},
		{"nested", `{` + least + `,"owner":{"login":"a","dropped":1,"repos":[{` + least + `,"kept":2}]},"point":[1,2.5]}`,
			repo{ID: 1, Name: "n", Point: [2]float64{1, 2.5}, Owner: &owner{Login: "a", Repos: []repo{{ID: 1, Name: "n",
				Extra: map[string]json.RawMessage{"kept": json.RawMessage("2")}}}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got repo
			if err := json.Unmarshal([]byte(tt.in), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// A text that spells a number is none, though encoding/json takes it for a json.Number.
func TestTextIsNoNumber(t *testing.T) {
	var n json.Number
	if err := codec.DecodeValue([]byte(`"1"`), &n); err == nil || !strings.Contains(err.Error(), "got a string") {
		t.Errorf("got %s, %v", n, err)
	}
	if err := codec.DecodeValue([]byte(`1.50`), &n); err != nil || n != "1.50" {
		t.Errorf("got %s, %v", n, err)
	}
}

func TestDecodeObjectErrors(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"missing", `{"id":1}`, `the required members "name", "stars" are missing`},
		{"one missing, nested", `{` + least + `,"owner":{"repos":[]}}`, `at "/owner": the required member "login" is missing`},
		{"missing in a list", `{` + least + `,"owner":{"login":"","repos":[{` + least + `},{"id":1,"name":"x"}]}}`,
			`at "/owner/repos/1": the required member "stars" is missing`},
		{"cased names", `{"ID":1,"NAME":"n","STARS":null}`, `"id", "name", "stars" are missing`},
		{"null scalar", `{"id":null,"name":"n","stars":null}`, `at "/id": want an integer, got null`},
		{"null string", `{"id":1,"name":null,"stars":null}`, `at "/name": want a string, got null`},
		{"null element", `{` + least + `,"labels":["a",null]}`, `at "/labels/1": want a string, got null`},
		{"wrong type", `{"id":"1","name":"n","stars":null}`, `at "/id": want an integer, got a string`},
		{"wrong type in a map", `{` + least + `,"sizes":{"a/b~c":true}}`, `at "/sizes/a~1b~0c": want an integer, got a boolean`},
		{"bool for a number", `{` + least + `,"owner":{"login":"x","admin":1}}`, `at "/owner/admin": want a boolean, got a number`},
		{"fraction", `{"id":1.5,"name":"n","stars":null}`, `at "/id": want an integer, got a number with a fraction`},
		{"tiny", `{"id":1e-400,"name":"n","stars":null}`, `at "/id": want an integer, got a number with a fraction`},
		{"out of range", `{"id":1,"name":"n","stars":9223372036854775808}`, `at "/stars": 9223372036854775808 does not fit the Go type int64: write decimal for it under types: in mcpgen.yaml`},
		{"far out of range", `{"id":1e999999999,"name":"n","stars":null}`, `at "/id": 1e999999999 does not fit the Go type int64: write decimal for it under types: in mcpgen.yaml`},
		{"out of range in a map", `{` + least + `,"sizes":{"a":256.0}}`, `at "/sizes/a": 256.0 does not fit the Go type uint8: write decimal for it under types: in mcpgen.yaml`},
		{"negative for unsigned", `{` + least + `,"sizes":{"a":-1}}`, `at "/sizes/a": -1 does not fit the Go type uint8: write decimal for it under types: in mcpgen.yaml`},
		{"array too short", `{` + least + `,"point":[1]}`, `at "/point": want an array of 2 elements, got 1`},
		{"array too long", `{` + least + `,"point":[1,2,3]}`, `at "/point": want an array of 2 elements, got 3`},
		{"option", `{` + least + `,"milestone":"x"}`, `at "/milestone": want an integer, got a string`},
		{"object for a list", `{` + least + `,"labels":{}}`, `at "/labels": want an array, got an object`},
		{"list for an object", `{` + least + `,"owner":[]}`, `at "/owner": want an object, got an array`},
		{"array", `[]`, `want an object, got an array`},
		{"null", `null`, `want an object, got null`},
		{"deep", `{"x":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `}`, `nested deeper than 1000 levels`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := new(repo).UnmarshalJSON([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestDecodeObjectSyntax(t *testing.T) {
	for _, in := range []string{
		``, ` `, `{`, `{}x`, `{} {}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{a:1}`, `{'a':1}`,
		`{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":1e+}`, `{"a":+1}`, `{"a":-}`, `{"a":tru}`, `{"a":nulL}`,
		`{"a":"\x"}`, `{"a":"\u12g4"}`, `{"a":"\u123"}`, `{"a":"` + "\n" + `"}`, `{"a":"}`, `{"a":[1,]}`, `{"a":[1 2]}`, `{"a":[}`,
		`{"a":NaN}`, `{"a":1}}`, "\ufeff{}", `{"a":"\`, `{"a":"\u`,
	} {
		var x struct{}
		var extra map[string]json.RawMessage
		if json.Valid([]byte(in)) {
			t.Errorf("%q is valid: not a case for this test", in)
		}
		if err := codec.DecodeObject([]byte(in), &x, &extra); err == nil {
			t.Errorf("%q: no error", in)
		}
	}
}

// A value that would be read once for each of its levels is refused on the first,
// and a deep one that is small, or a large one that is flat, is not.
func TestDecodeObjectWork(t *testing.T) {
	nested := func(depth, zeros int) []byte {
		inner := least + `,"x":[` + strings.Repeat("0,", zeros) + `0]}`
		for range depth {
			inner = least + `,"owner":{"login":"o","repos":[{` + inner + `]}}`
		}
		return []byte("{" + inner)
	}
	for _, tt := range []struct {
		name         string
		depth, zeros int
		want         string
	}{
		{"deep and large", 50, 1 << 19, "too large to be nested this deep"},
		{"deep", 300, 0, ""},
		{"large", 2, 1 << 19, ""},
	} {
		err := new(repo).UnmarshalJSON(nested(tt.depth, tt.zeros))
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestDecodeObjectTypedExtra(t *testing.T) {
	type scores map[state]int
	var x struct{ A string }
	extra := scores{"stale": 1}
	if err := codec.DecodeObject([]byte(`{"A":"a","b":1.0,"c":2}`), &x, &extra); err != nil {
		t.Fatal(err)
	}
	if want := (scores{"b": 1, "c": 2}); x.A != "a" || !reflect.DeepEqual(extra, want) {
		t.Errorf("got %v, %v", x, extra)
	}
	err := codec.DecodeObject([]byte(`{"A":"a","b":"no"}`), &x, &extra)
	if err == nil || err.Error() != `at "/b": want an integer, got a string` {
		t.Errorf("got %v", err)
	}
}

func TestDecodeObjectReplacesExtraAndKeepsFields(t *testing.T) {
	x := repo{Labels: []string{"old"}, Extra: map[string]json.RawMessage{"stale": nil}}
	kept := x.Labels
	if err := x.UnmarshalJSON([]byte(`{` + least + `}`)); err != nil {
		t.Fatal(err)
	}
	if x.Extra != nil || len(x.Labels) != 1 {
		t.Errorf("got %+v", x)
	}
	if err := x.UnmarshalJSON([]byte(`{` + least + `,"labels":["new"]}`)); err != nil {
		t.Fatal(err)
	}
	if kept[0] != "old" {
		t.Errorf("the caller's slice holds %q after decoding, want old", kept[0])
	}
}

func TestDecodeObjectDoesNotRetain(t *testing.T) {
	in := []byte(`{` + least + `,"raw":"raw","more":"more"}`)
	var x repo
	if err := x.UnmarshalJSON(in); err != nil {
		t.Fatal(err)
	}
	for i := range in {
		in[i] = '!'
	}
	if x.Name != "n" || string(x.Raw) != `"raw"` || string(x.Extra["more"]) != `"more"` {
		t.Errorf("the input shows through: %+v", x)
	}
}

func TestDecodeObjectMisuse(t *testing.T) {
	type embeds struct{ owner }
	type quoted struct {
		A int `json:",string"`
	}
	type channel struct{ C chan int }
	var x struct{}
	for _, tt := range []struct {
		plain, extra any
		want         string
	}{
		{nil, nil, "x is <nil>"},
		{x, nil, "x is struct {}"},
		{(*owner)(nil), nil, "x is *codec_test.owner"},
		{new(int), nil, "x is *int"},
		{&x, map[string]int{}, "extra is map[string]int"},
		{&x, new(map[int]string), "extra is *map[int]string"},
		{&x, (*map[string]json.RawMessage)(nil), "want a pointer to a map"},
		{&embeds{}, nil, "embedded fields are not supported"},
		{&quoted{}, nil, `the tag option "string" is not supported`},
		{&channel{}, nil, "nothing can be decoded into the Go type chan int"},
	} {
		err := codec.DecodeObject([]byte(`{"C":1}`), tt.plain, tt.extra)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%T, %T: got %v, want %s", tt.plain, tt.extra, err, tt.want)
		}
	}
}

// Types with decoders of their own, and those that only encoding/json knows.
func TestDecodeObjectOtherTypes(t *testing.T) {
	type inner struct {
		N int `json:"n"`
	}
	var x struct {
		Plain   inner          `json:"plain"`
		Pointer **int          `json:"pointer"`
		Bytes   []byte         `json:"bytes"`
		Number  json.Number    `json:"number"`
		Keys    map[int]string `json:"keys"`
		Text    upper          `json:"text"`
		//lint:ignore SA5008 this tag is how a member called "-" is written
		Dash    int `json:"-,"`
		Hidden  int `json:"-"`
		private int
	}
	in := `{"plain":{"n":1.0,"dropped":2},"pointer":5,"bytes":"aGk=","number":1.50,"keys":{"1":"a"},"text":"shout","-":4}`
	if err := codec.DecodeObject([]byte(in), &x, nil); err != nil {
		t.Fatal(err)
	}
	if x.Plain.N != 1 || **x.Pointer != 5 || string(x.Bytes) != "hi" || x.Number != "1.50" ||
		x.Keys[1] != "a" || x.Text != "SHOUT" || x.Dash != 4 || x.Hidden != 0 || x.private != 0 {
		t.Errorf("got %+v", x)
	}
	err := codec.DecodeObject([]byte(`{"plain":{"N":1}}`), &x, nil)
	if err == nil || err.Error() != `at "/plain": the required member "n" is missing` {
		t.Errorf("got %v", err)
	}
}

type upper string

func (u *upper) UnmarshalText(b []byte) error {
	*u = upper(strings.ToUpper(string(b)))
	return nil
}

func TestEncodeObject(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   repo
		want string
	}{
		{"nil", repo{}, `{"id":0,"name":"","stars":null}`},
		{"empty", repo{Extra: map[string]json.RawMessage{}}, `{"id":0,"name":"","stars":null}`},
		{"sorted", repo{Extra: map[string]json.RawMessage{"z": json.RawMessage("9007199254740993"), "a": nil, "ID": json.RawMessage("1")}},
			`{"id":0,"name":"","stars":null,"ID":1,"a":null,"z":9007199254740993}`},
	} {
		got, err := json.Marshal(tt.in)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
	got, err := codec.EncodeObject(struct{}{}, map[string]int{"b": 1})
	if err != nil || string(got) != `{"b":1}` {
		t.Errorf("no fields: got %s, %v", got, err)
	}
}

func TestEncodeObjectErrors(t *testing.T) {
	for _, tt := range []struct {
		plain, extra any
		want         string
	}{
		{struct{}{}, []int{1}, "extra is []int"},
		{struct{}{}, map[int]int{1: 1}, "extra is map[int]int"},
		{7, map[string]int{"a": 1}, "x is int"},
		{nil, map[string]int{"a": 1}, "x is <nil>"},
		{struct{ C chan int }{}, nil, "unsupported type"},
		{struct{}{}, map[string]json.RawMessage{"a": json.RawMessage("{")}, "a"},
	} {
		if _, err := codec.EncodeObject(tt.plain, tt.extra); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, %v: got %v, want %s", tt.plain, tt.extra, err, tt.want)
		}
	}
	_, err := json.Marshal(repo{Extra: map[string]json.RawMessage{"owner": nil, "id": nil, "x": nil}})
	if err == nil || !strings.Contains(err.Error(), `extra members "id", "owner" are fields of the type`) {
		t.Errorf("got %v", err)
	}
}
