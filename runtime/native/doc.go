// Package native makes Go functions tools beside remote ones: in the same
// registry, behind the same gate and audit.
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
// Schemas come from the Go types by reflection, see package
// github.com/invopop/jsonschema for the struct tags. Arguments are checked
// against them before the function runs.
package native
