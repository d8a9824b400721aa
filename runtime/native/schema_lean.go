//go:build mcpgen_lean

package native

import (
	"encoding/json"

	"github.com/mcpgen/mcpgen/internal/hint"
)

func inputSchema[T any]() (json.RawMessage, error) { return nil, hint.LeftOut("schemas of Go types") }

func outputSchema[T any]() (json.RawMessage, error) { return inputSchema[T]() }
