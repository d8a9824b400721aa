package observe

// This file reads the shape of one value token by token, without keeping the value.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// read returns the shape of one JSON value.
func read(value json.RawMessage) (*shape, error) {
	r := reader{json.NewDecoder(bytes.NewReader(value))}
	r.d.UseNumber()
	s, err := r.value(0)
	if err == nil {
		if _, more := r.d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more follows after it")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("not one JSON value: %w", err)
	}
	return s, nil
}

type reader struct{ d *json.Decoder }

// value reads the next value.
func (r reader) value(depth int) (*shape, error) {
	t, err := r.d.Token()
	if err != nil {
		return nil, noEOF(err)
	}
	delim, ok := t.(json.Delim)
	switch {
	case !ok:
		return scalar(t), nil
	case depth >= maxDepth:
		return &shape{any: true}, r.skip()
	case delim == '[':
		return r.array(depth)
	}
	return r.object(depth)
}

func (r reader) array(depth int) (*shape, error) {
	a := new(array)
	for r.d.More() {
		s, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		a.items = join(a.items, s)
	}
	return &shape{array: a}, r.end()
}

func (r reader) object(depth int) (*shape, error) {
	o := newObject()
	for r.d.More() {
		name, err := r.d.Token()
		if err != nil {
			return nil, noEOF(err)
		}
		s, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		text, _ := name.(string) // the decoder accepts only strings
		o.add(text, s)
	}
	o.detectMap()
	return &shape{object: o}, r.end()
}

// end reads the closing bracket.
func (r reader) end() error {
	_, err := r.d.Token()
	return noEOF(err)
}

// skip skips the rest of an open array or object.
func (r reader) skip() error {
	for open := 1; open > 0; {
		t, err := r.d.Token()
		if err != nil {
			return noEOF(err)
		}
		switch t {
		case json.Delim('['), json.Delim('{'):
			open++
		case json.Delim(']'), json.Delim('}'):
			open--
		}
	}
	return nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}

func scalar(t json.Token) *shape {
	switch v := t.(type) {
	case bool:
		return &shape{boolean: true}
	case string:
		return &shape{text: true}
	case json.Number:
		return numberShape(string(v))
	}
	return &shape{null: true}
}

// numberShape classifies a number by spelling: a writer of 1.0 may write 1.5 next time. A number that no Go
// type holds exactly, or at all, may be any value.
func numberShape(text string) *shape {
	if strings.ContainsAny(text, ".eE") {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return &shape{any: true}
		}
		return &shape{number: number}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if -1<<53 <= n && n <= 1<<53 {
			return &shape{number: integer}
		}
		return &shape{number: long}
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return &shape{number: unsigned}
	}
	return &shape{any: true}
}
