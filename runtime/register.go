package runtime

import (
	"errors"
	"fmt"
	"slices"
)

// RegisterAll registers tools with reg in their order, either all or none.
//
// Names are compared before the first registration: a nil tool, a tool without a
// name, and two tools with one name are errors that name each of them. If reg refuses
// a tool, the earlier ones are unregistered in reverse order; an Unregister that
// fails is joined to the error, and that tool may still be registered.
//
// Each registry decides which names it accepts. The names of generated tools satisfy
// the rules of all known model providers under every naming scheme. A registry that
// uses another form of names, such as mcp.server.tool, derives it from Spec().Server
// and Spec().Tool, which are exact.
func RegisterAll(reg Registrar, tools ...Tool) error {
	if reg == nil {
		return errors.New("register tools: the registrar is nil")
	}
	specs, err := distinctSpecs(tools)
	if err != nil {
		return err
	}
	for i, tool := range tools {
		if err := reg.Register(tool); err != nil {
			err = fmt.Errorf("register %s: %w", describe(specs[i]), err)
			return errors.Join(err, unregister(reg, specs[:i]))
		}
	}
	return nil
}

// distinctSpecs returns the specs of tools, or an error unless all names differ.
func distinctSpecs(tools []Tool) ([]Spec, error) {
	var errs []error
	specs := make([]Spec, len(tools))
	first := make(map[string]int, len(tools))
	for i, tool := range tools {
		if tool == nil {
			errs = append(errs, fmt.Errorf("register tools: tool %d is nil", i))
			continue
		}
		specs[i] = tool.Spec()
		name := specs[i].Name
		before, taken := first[name]
		switch {
		case name == "":
			errs = append(errs, fmt.Errorf("register %s: it has no name", describe(specs[i])))
		case taken:
			errs = append(errs, fmt.Errorf("register %s: the name is taken by %s: rename or leave out one of the two",
				describe(specs[i]), describe(specs[before])))
		default:
			first[name] = i
		}
	}
	return specs, errors.Join(errs...)
}

// unregister unregisters tools, the last one first.
func unregister(reg Registrar, specs []Spec) error {
	var errs []error
	for _, spec := range slices.Backward(specs) {
		if err := reg.Unregister(spec.Name); err != nil {
			errs = append(errs, fmt.Errorf("unregister %s: %w", describe(spec), err))
		}
	}
	return errors.Join(errs...)
}

// describe returns the name and the origin of a tool.
func describe(s Spec) string {
	if s.Server == "" {
		return fmt.Sprintf("%q", s.Name)
	}
	return fmt.Sprintf("%q (server %q, tool %q)", s.Name, s.Server, s.Tool)
}
