package validate

// This file is the only user of the library's compiler.
//
// The library does not bound the time that a value takes: branching references make it exponential. So every
// schema passed to it has a format whose check counts the visits. The counter belongs to the compiled schema,
// which therefore serves one caller at a time; concurrent callers get copies.

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxIdle bounds the unused copies of a compiled schema that are kept.
const maxIdle = 16

// location is the URL of the schema in the compiler; nothing is fetched from it.
const location = "schema:///root.json"

var errSpent = errors.New("takes too long")

// engine is a compiled schema for one caller at a time.
type engine struct {
	root *jsonschema.Schema
	left int // steps; negative after the limit was exceeded
}

// spend consumes steps and reports false if none are left.
func (e *engine) spend(steps int) bool {
	if e.left >= 0 {
		e.left -= steps
	}
	return e.left >= 0
}

func (s *Schema) compile() (*engine, error) {
	e := &engine{}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.AssertFormat()
	for weight := range s.plan.weights {
		c.RegisterFormat(&jsonschema.Format{Name: meterName(weight), Validate: func(any) error {
			if !e.spend(weight) {
				return errSpent // the verdict is discarded
			}
			return nil
		}})
	}
	c.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) {
		p := s.plan.patterns[text]
		if p == nil { // of a metaschema or of a schema used as a value
			if re, err := Pattern(text); err == nil {
				return re, nil
			}
			return regexp.Compile("") // a pattern that RE2 does not support is assumed valid
		}
		if p.re == nil {
			return nil, fmt.Errorf("unknown pattern %s", quote(text))
		}
		return &meteredPattern{pattern: p, engine: e}, nil
	})
	if err := c.AddResource(location, s.document); err != nil {
		return nil, err
	}
	var err error
	e.root, err = c.Compile(location)
	return e, err
}

// meterName returns the name of the format that counts a visit as weight steps.
func meterName(weight int) string { return "steps-" + strconv.Itoa(weight) }

// noLoader refuses to load documents.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not fetched", quote(url))
}

// meteredPattern is a pattern that counts the cost of matching.
type meteredPattern struct {
	*pattern
	engine *engine
}

// MatchString matches s. It returns true if no steps are left.
func (m *meteredPattern) MatchString(s string) bool {
	if !m.engine.spend(1 + len(s)*m.size/64) {
		return true
	}
	return m.re.MatchString(s)
}
