package codec

// Types of arguments are shared by places that lack some of their members or constants.
// What a place lacks is refused before it is sent.

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/internal/jsontext"
	"github.com/mcpgen/mcpgen/internal/limits"
	"github.com/mcpgen/mcpgen/internal/safetext"
)

// errNotVariant says that an object has members that a variant does not have.
var errNotVariant = errors.New("not this variant")

// argsChecker is what [Limits] implement. Programs link Limits only if a generated package
// that they import has some.
type argsChecker interface {
	checkArgs(args []byte) error
}

// Limits lists what places of a tool's arguments lack and their Go types have for other
// tools, as a JSON array. Generated code alone writes it.
type Limits string

// checkArgs refuses encoded arguments with a member or a constant that their place lacks.
func (l Limits) checkArgs(args []byte) error {
	var all places
	if err := json.Unmarshal([]byte(l), &all); err != nil {
		return fmt.Errorf("the limits of the tool: %w", err)
	}
	return all.check(args, 1)
}

// places are the places of a tool's arguments.
type places []limits.Place

// check refuses what the place lacks that a value has.
func (l places) check(value []byte, place int) error {
	if place < 1 || place > len(l) {
		return nil
	}
	at, kind := l[place-1], jsontext.TypeOf(value)
	refuse := func(what, text string) error {
		return fmt.Errorf("%s%q is valid only for other tools that use the same type", what, safetext.Words(text, 60))
	}
	if len(at.Has) > 0 {
		for items := jsontext.NewItems(value); items.Next(); {
			if !slices.Contains(at.Has, string(items.Key())) {
				return errNotVariant
			}
		}
	}
	if kind == "string" && slices.Contains(at.Not, jsontext.Text(value)) {
		return refuse("", jsontext.Text(value))
	}
	for _, k := range []string{"", kind} {
		if err := l.check(value, at.Kinds[k]); err != nil {
			return err
		}
	}
	if kind != "object" && kind != "array" {
		return nil
	}
	if at.OneOf != nil {
		return l.oneOf(value, at.OneOf)
	}
	if at.Tag != "" && kind == "object" {
		return l.check(value, at.In[string(jsontext.Plain(jsontext.Member(value, at.Tag)))])
	}
	items := jsontext.NewItems(value)
	for i := 0; items.Next(); i++ {
		name, to := strconv.Itoa(i), at.Each
		if kind == "object" {
			if name = string(items.Key()); slices.Contains(at.Lacks, name) {
				return refuse("the member ", name)
			}
			to = max(to, at.In[name])
		}
		if err := l.check(items.Value, to); err != nil {
			return within(name, err)
		}
	}
	return nil
}

// oneOf refuses an object that has all its members in some variants and is refused as each of
// these.
func (l places) oneOf(value []byte, variants []int) error {
	var refused error
	for _, place := range variants {
		switch err := l.check(value, place); {
		case err == nil:
			return nil
		case refused == nil && !errors.Is(err, errNotVariant):
			refused = err
		}
	}
	return refused
}
