package codec_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/codec"
	"github.com/mcpgen/mcpgen/runtime/format"
)

// Texts keep their spelling on the way in and out, also where null and absence
// mean something.
func TestFormatsKeepTheirSpelling(t *testing.T) {
	type formats struct {
		At    format.DateTime            `json:"at"`
		Until *format.DateTime           `json:"until,omitzero"`
		Link  runtime.Opt[format.URI]    `json:"link,omitzero"`
		IDs   []format.UUID              `json:"ids"`
		Days  map[string]format.Date     `json:"days,omitzero"`
		Data  *format.Base64             `json:"data"`
		Extra map[string]json.RawMessage `json:"-"`
	}
	for _, text := range []string{
		`{"at":"2024-01-02t03:04:05.120z","until":"not a time","link":null,"ids":["123E4567-E89B-12D3-A456-426614174000"],"days":{"a":"x"},"data":null}`,
		`{"at":"","link":"https://e.com/%7Efoo/","ids":[],"data":"aGk","more":1}`,
	} {
		var x formats
		if err := codec.DecodeObject([]byte(text), &x, &x.Extra); err != nil {
			t.Fatal(err)
		}
		if out, err := codec.EncodeObject(x, x.Extra); err != nil || string(out) != text {
			t.Errorf("%s\n%s\n%v", text, out, err)
		}
	}
}
