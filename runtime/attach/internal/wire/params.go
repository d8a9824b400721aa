// The parameters of requests, built from bytes that are already JSON.

package wire

import (
	"encoding/json"
	"errors"
)

// ToolParams builds the parameters of tools/call or prompts/get:
// {"name":…,"arguments":…,"_meta":{…}}. The bytes of args are taken as they
// are; nil leaves arguments out, and an empty meta leaves _meta out. It fails
// if args is not one JSON object or a value of meta is not one JSON value.
func ToolParams(name string, args json.RawMessage, meta map[string]json.RawMessage) (json.RawMessage, error) {
	return nil, errors.ErrUnsupported
}
