// Package consumer uses all that a generated package exported.
package consumer

import (
	"context"
	"example.com/app/mcp/memory"
	"github.com/mcpgen/mcpgen/runtime"
)

var _ func(ctx context.Context, args memory.AddObservationsArgs, opts ...runtime.CallOption) (*memory.AddObservationsResult, error) = memory.AddObservations
var _ = memory.AddObservationsArgs{}

func _(v memory.AddObservationsArgs, f []memory.AddObservationsArgsObservationsItem) {
	v.Observations, f = f, v.Observations
}

var _ = memory.AddObservationsArgsObservationsItem{}

func _(v memory.AddObservationsArgsObservationsItem, f []string) { v.Contents, f = f, v.Contents }
func _(v memory.AddObservationsArgsObservationsItem, f string)   { v.EntityName, f = f, v.EntityName }

var _ = memory.AddObservationsResult{}

func _(v memory.AddObservationsResult, f []memory.AddObservationsResultResultsItem) {
	v.Results, f = f, v.Results
}

var _ = (*memory.AddObservationsResult).UnmarshalJSON
var _ = memory.AddObservationsResultResultsItem{}

func _(v memory.AddObservationsResultResultsItem, f []string) {
	v.AddedObservations, f = f, v.AddedObservations
}
func _(v memory.AddObservationsResultResultsItem, f string) { v.EntityName, f = f, v.EntityName }

var _ = memory.Client{}
var _ = (*memory.Client).AddObservations
var _ = (*memory.Client).CreateEntities
var _ = (*memory.Client).CreateRelations
var _ = (*memory.Client).DeleteEntities
var _ = (*memory.Client).DeleteObservations
var _ = (*memory.Client).DeleteRelations
var _ = (*memory.Client).OpenNodes
var _ = (*memory.Client).ReadGraph
var _ = (*memory.Client).SearchNodes
var _ func(ctx context.Context, args memory.CreateEntitiesArgs, opts ...runtime.CallOption) (*memory.CreateEntitiesResult, error) = memory.CreateEntities
var _ = memory.CreateEntitiesArgs{}

func _(v memory.CreateEntitiesArgs, f []memory.CreateEntitiesArgsEntitiesItem) {
	v.Entities, f = f, v.Entities
}

var _ = memory.CreateEntitiesArgsEntitiesItem{}

func _(v memory.CreateEntitiesArgsEntitiesItem, f string)   { v.EntityType, f = f, v.EntityType }
func _(v memory.CreateEntitiesArgsEntitiesItem, f string)   { v.Name, f = f, v.Name }
func _(v memory.CreateEntitiesArgsEntitiesItem, f []string) { v.Observations, f = f, v.Observations }

var _ = memory.CreateEntitiesResult{}

func _(v memory.CreateEntitiesResult, f []memory.CreateEntitiesResultEntitiesItem) {
	v.Entities, f = f, v.Entities
}

var _ = (*memory.CreateEntitiesResult).UnmarshalJSON
var _ = memory.CreateEntitiesResultEntitiesItem{}

func _(v memory.CreateEntitiesResultEntitiesItem, f string)   { v.EntityType, f = f, v.EntityType }
func _(v memory.CreateEntitiesResultEntitiesItem, f string)   { v.Name, f = f, v.Name }
func _(v memory.CreateEntitiesResultEntitiesItem, f []string) { v.Observations, f = f, v.Observations }

var _ func(ctx context.Context, args memory.CreateRelationsArgs, opts ...runtime.CallOption) (*memory.CreateRelationsResult, error) = memory.CreateRelations
var _ = memory.CreateRelationsArgs{}

func _(v memory.CreateRelationsArgs, f []memory.CreateRelationsArgsRelationsItem) {
	v.Relations, f = f, v.Relations
}

var _ = memory.CreateRelationsArgsRelationsItem{}

func _(v memory.CreateRelationsArgsRelationsItem, f string) { v.From, f = f, v.From }
func _(v memory.CreateRelationsArgsRelationsItem, f string) { v.RelationType, f = f, v.RelationType }
func _(v memory.CreateRelationsArgsRelationsItem, f string) { v.To, f = f, v.To }

var _ = memory.CreateRelationsResult{}

func _(v memory.CreateRelationsResult, f []memory.CreateRelationsResultRelationsItem) {
	v.Relations, f = f, v.Relations
}

var _ = (*memory.CreateRelationsResult).UnmarshalJSON
var _ = memory.CreateRelationsResultRelationsItem{}

func _(v memory.CreateRelationsResultRelationsItem, f string) { v.From, f = f, v.From }
func _(v memory.CreateRelationsResultRelationsItem, f string) { v.RelationType, f = f, v.RelationType }
func _(v memory.CreateRelationsResultRelationsItem, f string) { v.To, f = f, v.To }

var _ func(ctx context.Context, args memory.DeleteEntitiesArgs, opts ...runtime.CallOption) (*memory.DeleteEntitiesResult, error) = memory.DeleteEntities
var _ = memory.DeleteEntitiesArgs{}

func _(v memory.DeleteEntitiesArgs, f []string) { v.EntityNames, f = f, v.EntityNames }

var _ = memory.DeleteEntitiesResult{}

func _(v memory.DeleteEntitiesResult, f string) { v.Message, f = f, v.Message }
func _(v memory.DeleteEntitiesResult, f bool)   { v.Success, f = f, v.Success }

var _ = (*memory.DeleteEntitiesResult).UnmarshalJSON
var _ func(ctx context.Context, args memory.DeleteObservationsArgs, opts ...runtime.CallOption) (*memory.DeleteObservationsResult, error) = memory.DeleteObservations
var _ = memory.DeleteObservationsArgs{}

func _(v memory.DeleteObservationsArgs, f []memory.DeleteObservationsArgsDeletionsItem) {
	v.Deletions, f = f, v.Deletions
}

var _ = memory.DeleteObservationsArgsDeletionsItem{}

func _(v memory.DeleteObservationsArgsDeletionsItem, f string) { v.EntityName, f = f, v.EntityName }
func _(v memory.DeleteObservationsArgsDeletionsItem, f []string) {
	v.Observations, f = f, v.Observations
}

var _ = memory.DeleteObservationsResult{}

func _(v memory.DeleteObservationsResult, f string) { v.Message, f = f, v.Message }
func _(v memory.DeleteObservationsResult, f bool)   { v.Success, f = f, v.Success }

var _ = (*memory.DeleteObservationsResult).UnmarshalJSON
var _ func(ctx context.Context, args memory.DeleteRelationsArgs, opts ...runtime.CallOption) (*memory.DeleteRelationsResult, error) = memory.DeleteRelations
var _ = memory.DeleteRelationsArgs{}

func _(v memory.DeleteRelationsArgs, f []memory.DeleteRelationsArgsRelationsItem) {
	v.Relations, f = f, v.Relations
}

var _ = memory.DeleteRelationsArgsRelationsItem{}

func _(v memory.DeleteRelationsArgsRelationsItem, f string) { v.From, f = f, v.From }
func _(v memory.DeleteRelationsArgsRelationsItem, f string) { v.RelationType, f = f, v.RelationType }
func _(v memory.DeleteRelationsArgsRelationsItem, f string) { v.To, f = f, v.To }

var _ = memory.DeleteRelationsResult{}

func _(v memory.DeleteRelationsResult, f string) { v.Message, f = f, v.Message }
func _(v memory.DeleteRelationsResult, f bool)   { v.Success, f = f, v.Success }

var _ = (*memory.DeleteRelationsResult).UnmarshalJSON
var _ func() *runtime.Manifest = memory.Manifest
var _ func(inv runtime.Invoker) *memory.Client = memory.New
var _ func(ctx context.Context, args memory.OpenNodesArgs, opts ...runtime.CallOption) (*memory.OpenNodesResult, error) = memory.OpenNodes
var _ = memory.OpenNodesArgs{}

func _(v memory.OpenNodesArgs, f []string) { v.Names, f = f, v.Names }

var _ = memory.OpenNodesResult{}

func _(v memory.OpenNodesResult, f []memory.OpenNodesResultEntitiesItem) {
	v.Entities, f = f, v.Entities
}
func _(v memory.OpenNodesResult, f []memory.OpenNodesResultRelationsItem) {
	v.Relations, f = f, v.Relations
}

var _ = (*memory.OpenNodesResult).UnmarshalJSON
var _ = memory.OpenNodesResultEntitiesItem{}

func _(v memory.OpenNodesResultEntitiesItem, f string)   { v.EntityType, f = f, v.EntityType }
func _(v memory.OpenNodesResultEntitiesItem, f string)   { v.Name, f = f, v.Name }
func _(v memory.OpenNodesResultEntitiesItem, f []string) { v.Observations, f = f, v.Observations }

var _ = memory.OpenNodesResultRelationsItem{}

func _(v memory.OpenNodesResultRelationsItem, f string) { v.From, f = f, v.From }
func _(v memory.OpenNodesResultRelationsItem, f string) { v.RelationType, f = f, v.RelationType }
func _(v memory.OpenNodesResultRelationsItem, f string) { v.To, f = f, v.To }

var _ func(ctx context.Context, args memory.ReadGraphArgs, opts ...runtime.CallOption) (*memory.ReadGraphResult, error) = memory.ReadGraph
var _ = memory.ReadGraphArgs{}
var _ = memory.ReadGraphResult{}

func _(v memory.ReadGraphResult, f []memory.ReadGraphResultEntitiesItem) {
	v.Entities, f = f, v.Entities
}
func _(v memory.ReadGraphResult, f []memory.ReadGraphResultRelationsItem) {
	v.Relations, f = f, v.Relations
}

var _ = (*memory.ReadGraphResult).UnmarshalJSON
var _ = memory.ReadGraphResultEntitiesItem{}

func _(v memory.ReadGraphResultEntitiesItem, f string)   { v.EntityType, f = f, v.EntityType }
func _(v memory.ReadGraphResultEntitiesItem, f string)   { v.Name, f = f, v.Name }
func _(v memory.ReadGraphResultEntitiesItem, f []string) { v.Observations, f = f, v.Observations }

var _ = memory.ReadGraphResultRelationsItem{}

func _(v memory.ReadGraphResultRelationsItem, f string) { v.From, f = f, v.From }
func _(v memory.ReadGraphResultRelationsItem, f string) { v.RelationType, f = f, v.RelationType }
func _(v memory.ReadGraphResultRelationsItem, f string) { v.To, f = f, v.To }

var _ func(ctx context.Context, args memory.SearchNodesArgs, opts ...runtime.CallOption) (*memory.SearchNodesResult, error) = memory.SearchNodes
var _ = memory.SearchNodesArgs{}

func _(v memory.SearchNodesArgs, f string) { v.Query, f = f, v.Query }

var _ = memory.SearchNodesResult{}

func _(v memory.SearchNodesResult, f []memory.SearchNodesResultEntitiesItem) {
	v.Entities, f = f, v.Entities
}
func _(v memory.SearchNodesResult, f []memory.SearchNodesResultRelationsItem) {
	v.Relations, f = f, v.Relations
}

var _ = (*memory.SearchNodesResult).UnmarshalJSON
var _ = memory.SearchNodesResultEntitiesItem{}

func _(v memory.SearchNodesResultEntitiesItem, f string)   { v.EntityType, f = f, v.EntityType }
func _(v memory.SearchNodesResultEntitiesItem, f string)   { v.Name, f = f, v.Name }
func _(v memory.SearchNodesResultEntitiesItem, f []string) { v.Observations, f = f, v.Observations }

var _ = memory.SearchNodesResultRelationsItem{}

func _(v memory.SearchNodesResultRelationsItem, f string) { v.From, f = f, v.From }
func _(v memory.SearchNodesResultRelationsItem, f string) { v.RelationType, f = f, v.RelationType }
func _(v memory.SearchNodesResultRelationsItem, f string) { v.To, f = f, v.To }

var _ func(inv runtime.Invoker) []runtime.Tool = memory.Tools
