// Package jsonschema is a tolerant model of JSON Schema, whatever draft a server
// wrote: what the keywords say, in the server's order, and what references lead to.
// Mistakes are passed over, each reported as a problem. Nothing is fetched.
package jsonschema
