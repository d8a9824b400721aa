// Package extension reads what two extensions of the protocol add to a surface: skills
// (SEP-2640), and apps, which are pages that tools bring along (SEP-1865).
//
// A program that only calls tools needs neither, and does not link it.
package extension

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// maxApps bounds the pages that are read of one server.
const maxApps = 200

// Complete leaves the skills out of a snapshot that hosts must not load, and adds the
// apps that the surface names. Read returns the result of resources/read. What is left
// out is in the problems. The error is that of ctx, or for more than 200 apps.
//
// A host takes it where it makes a snapshot: see attach.Host.Snapshot.
func Complete(ctx context.Context, snap *schema.Snapshot, read func(ctx context.Context, uri string) (json.RawMessage, error)) ([]schema.Problem, error) {
	var problems []schema.Problem
	snap.Skills = slices.DeleteFunc(snap.Skills, func(it schema.Item) bool {
		_, err := ParseSkill(it.Raw)
		if wrong, ok := errors.AsType[*schema.Error](err); ok {
			problems = append(problems, schema.Problem{Kind: it.Kind, Name: it.Name, Pointer: wrong.Pointer, Reason: "left out: " + wrong.Reason})
		}
		return err != nil
	})
	uris := appURIs(snap)
	if len(uris) > maxApps {
		return nil, fmt.Errorf("the server names more than %d pages of apps, which has to be fixed there", maxApps)
	}
	for _, uri := range uris {
		item, err := readApp(ctx, uri, read)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			problems = append(problems, schema.Problem{Kind: schema.KindApp, Name: uri, Reason: "left out: " + err.Error()})
			continue
		}
		snap.Apps = append(snap.Apps, item)
	}
	return problems, nil
}

func readApp(ctx context.Context, uri string, read func(ctx context.Context, uri string) (json.RawMessage, error)) (schema.Item, error) {
	result, err := read(ctx, uri)
	if err != nil {
		return schema.Item{}, err
	}
	app, err := ReadApp(uri, result)
	if err != nil {
		return schema.Item{}, err
	}
	return app.Item()
}
