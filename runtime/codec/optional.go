package codec

// This file reads and writes members that may be absent, null or a value. Their own methods follow
// encoding/json, which cannot decode unions.

import (
	"reflect"

	"github.com/mcpgen/mcpgen/internal/jsontext"
)

// presence is a [runtime.Opt] of any type.
type presence interface {
	IsNull() bool
	Any() any
}

var typePresence = reflect.TypeFor[presence]()

// optional is a pointer to a [runtime.Opt] of any type.
type optional interface {
	presence
	Fill(null bool, decode func(v any) error) error
}

func (d decoder) decodeOptional(raw []byte, o optional, rounded *bool) error {
	var inexact *bool // allocated here, so that rounded itself stays off the heap
	if rounded != nil {
		inexact = new(bool)
	}
	err := o.Fill(jsontext.IsNull(raw), func(v any) error { return d.decodeValue(raw, reflect.ValueOf(v).Elem(), inexact) })
	if inexact != nil && *inexact {
		*rounded = true
	}
	return err
}
