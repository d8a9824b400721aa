package gogen

// What is called through a client: a method of Client, and the function of its name.

import (
	"cmp"
	"fmt"

	"github.com/dave/jennifer/jen"
)

// pair is a method of Client, and the function of its name.
type pair struct {
	doc     string // of the method
	name    string
	params  []param
	results []jen.Code
	method  jen.Code // body
	// function is the result of the package function, with its doc. The zero values are results of a
	// method whose client has no invoker.
	function    jen.Code
	functionDoc string
}

// param is a parameter, and the argument by which it is handed on.
type param struct {
	name string
	typ  jen.Code
}

func ctxParam() param { return param{"ctx", jen.Qual(contextPath, "Context")} }

// optsParam are the options of a call, the last parameter.
func optsParam() param { return param{"opts", jen.Op("...").Qual(runtimePath, "CallOption")} }

// arguments hand parameters on.
func arguments(params []param) []jen.Code {
	var out []jen.Code
	for _, p := range params {
		arg := jen.Id(p.name)
		if p.name == "opts" {
			arg.Op("...")
		}
		out = append(out, arg)
	}
	return out
}

func addPair(f *file, o pair) {
	var params []jen.Code
	for _, p := range o.params {
		params = append(params, jen.Id(p.name).Add(p.typ))
	}
	if o.function == nil {
		o.function = jen.Id("New").Call(jen.Nil()).Dot(o.name).Call(arguments(o.params)...)
	}
	f.function(o.doc, "c *Client", o.name, params, o.results, o.method)
	doc := cmp.Or(o.functionDoc, comment(fmt.Sprintf("%s calls [Client.%s] with the invoker in ctx.", o.name, o.name)))
	f.function(doc, "", o.name, params, o.results, returning(o.function))
}
