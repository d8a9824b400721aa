// Package native turns Go functions into tools, which share the registry, the gate
// and the audit of remote tools.
//
//	greet, err := native.New("greet", "Greets somebody.",
//		func(ctx context.Context, args struct {
//			Name string `json:"name" jsonschema:"description=Who"`
//		}) (string, error) {
//			return "Hello, " + args.Name, nil
//		})
//	tools, err := native.NewSet(greet, native.Echo(), native.Clock(nil))
//	host, err := attach.Connect(ctx, servers, &attach.Options{
//		Middleware: []runtime.Middleware{gate, audit, tools.Middleware()},
//	})
//	err = runtime.RegisterAll(registry, tools.Tools(host)...)
//
// Schemas are derived from the Go types by reflection; package
// github.com/invopop/jsonschema documents the struct tags. Arguments are validated
// against the schemas before the function runs.
package native
