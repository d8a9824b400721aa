package validate

// This file is the only one that speaks to the library's compiler.
//
// The library has no bound on the time that a value takes: references that
// branch make it exponential. So every schema that it gets carries a format
// whose check counts the visits. The count stands in the compiled schema, which
// therefore serves one caller at a time; others get a copy.

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxIdle bounds the copies of a compiled schema that are kept.
const maxIdle = 16

// location is the address of the schema; nothing stands there.
const location = "schema:///root.json"

var errSpent = errors.New("takes too long")

// engine is a compiled schema for one caller at a time.
type engine struct {
	root *jsonschema.Schema
	left int // steps; negative when they were not enough
}

// spend counts steps. It reports false when there are none left.
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
				return errSpent // whatever the verdict becomes, nobody reads it
			}
			return nil
		}})
	}
	c.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) {
		p := s.plan.patterns[text]
		if p == nil { // of a metaschema, or of a schema that is a value
			if re, err := Pattern(text); err == nil {
				return re, nil
			}
			return regexp.Compile("") // what RE2 does not take is taken to be right
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

// meterName is the format that counts a visit as so many steps.
func meterName(weight int) string { return "steps-" + strconv.Itoa(weight) }

// noLoader refuses to load anything.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not fetched", quote(url))
}

// meteredPattern counts the work of matching.
type meteredPattern struct {
	*pattern
	engine *engine
}

// MatchString reports true when no steps are left.
func (m *meteredPattern) MatchString(s string) bool {
	if !m.engine.spend(1 + len(s)*m.size/64) {
		return true
	}
	return m.re.MatchString(s)
}
