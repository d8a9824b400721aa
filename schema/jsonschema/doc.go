// Package jsonschema is a tolerant model of JSON Schema of any draft: the keywords, in the server's order, and
// the targets of references. Mistakes are ignored and reported as problems. Nothing is fetched.
package jsonschema
