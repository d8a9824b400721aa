package main

import (
	"context"
	"errors"

	"example.com/peertest/internal/mcp/memory"
	"github.com/mcpgen/mcpgen/runtime"
)

func calls(ctx context.Context, inv runtime.Invoker) error {
	client := memory.New(inv)
	created, err1 := memory.CreateEntities(ctx, memory.CreateEntitiesArgs{Entities: []memory.Entity{
		{Name: "mcpgen", EntityType: "tool", Observations: []string{"writes Go", `likes "quotes"`}},
		{Name: "Go", EntityType: "language"}, // no observations: the required array is sent empty
	}})
	related, err2 := client.CreateRelations(ctx, memory.CreateRelationsArgs{Relations: []memory.Relation{
		{From: "mcpgen", To: "Go", RelationType: "emits"},
	}})
	added, err3 := memory.AddObservations(ctx, memory.AddObservationsArgs{Observations: []memory.Observation{
		{EntityName: "Go", Contents: []string{"has modules"}},
	}})
	found, err4 := memory.SearchNodes(ctx, memory.SearchNodesArgs{Query: "modules"})
	graph, err5 := client.ReadGraph(ctx, memory.ReadGraphArgs{})
	deleted, err6 := memory.DeleteEntities(ctx, memory.DeleteEntitiesArgs{EntityNames: []string{"Go"}})
	opened, err7 := memory.OpenNodes(ctx, memory.OpenNodesArgs{Names: []string{"mcpgen", "Go"}})
	if err5 == nil && (len(graph.Entities) != 2 || graph.Entities[0].Name != "mcpgen") {
		return errors.New("read_graph: the entities are not those that were created")
	}
	return errors.Join(report(created, err1), report(related, err2), report(added, err3),
		report(found, err4), report(graph, err5), report(deleted, err6), report(opened, err7))
}
