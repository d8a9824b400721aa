// Package extension reads the surface of two protocol extensions: skills (SEP-2640), and apps, which are pages
// of tools (SEP-1865).
//
// A program that only calls tools needs neither and does not link this package.
package extension

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpgen/mcpgen/schema"
)

// maxApps bounds the pages read from one server.
const maxApps = 200

// Complete removes the skills that hosts must not load from a snapshot, and adds the referenced apps. Read
// returns the result of resources/read. The problems list what was left out. The error is that of ctx, or
// reports more than 200 apps.
//
// Hosts call it when they create a snapshot: see attach.Host.Snapshot.
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
		return nil, fmt.Errorf("the server lists more than %d app pages, and mcpgen reads no more", maxApps)
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
