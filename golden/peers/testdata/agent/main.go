// Command agent describes a Go package with four servers: gopls explains it, memory keeps
// what was learned, filesystem writes a page of it, and playwright opens that in a browser
// and answers its form.
package main

import (
	"context"
	"fmt"
	"html"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"example.com/peertest/internal/mcp"
	"example.com/peertest/internal/mcp/filesystem"
	"example.com/peertest/internal/mcp/gopls"
	"example.com/peertest/internal/mcp/memory"
	"example.com/peertest/internal/mcp/playwright"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/live"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		log.Fatal("agent: ", err)
	}
}

// run describes the package in dir.
func run(ctx context.Context, dir string) error {
	host, err := live.Connect(ctx, mcp.Manifests()...)
	if err != nil {
		return err
	}
	defer host.Close()
	if err := host.Err(); err != nil {
		return err
	}
	ctx = runtime.NewContext(ctx, host)

	if err := learn(ctx, filepath.Join(dir, "greet.go")); err != nil {
		return err
	}
	if err := correct(ctx); err != nil {
		return err
	}
	graph, err := memory.ReadGraph(ctx, memory.ReadGraphArgs{})
	if err != nil {
		return err
	}
	if err := write(ctx, filepath.Join(dir, "index.html"), graph.Entities, graph.Relations); err != nil {
		return err
	}
	return review(ctx, dir, graph.Entities)
}

// learn asks gopls who uses the functions of a file, and remembers the answers.
func learn(ctx context.Context, file string) error {
	source, err := filesystem.ReadTextFile(ctx, filesystem.ReadTextFileArgs{Path: file, Head: new(20.0)})
	if err != nil {
		return err
	}
	var functions []memory.Entity
	for line := range strings.Lines(source.Content) {
		if name, ok := strings.CutPrefix(line, "func "); ok {
			name, _, _ = strings.Cut(name, "(")
			functions = append(functions, memory.Entity{Name: name, EntityType: "function"})
		}
	}
	for i, f := range functions {
		uses, err := gopls.GoSymbolReferences(ctx, gopls.GoSymbolReferencesArgs{File: file, Symbol: f.Name})
		if err != nil {
			return err
		}
		count := strings.Count(uses.Text(), "use.go")
		functions[i].Observations = append(f.Observations, fmt.Sprintf("used %d times in use.go", count))
	}
	created, err := memory.CreateEntities(ctx, memory.CreateEntitiesArgs{Entities: functions})
	if err != nil {
		return err
	}
	var relations []memory.Relation
	for _, f := range created.Entities {
		relations = append(relations, memory.Relation{From: f.Name, To: "greet.go", RelationType: "contains"})
	}
	_, err = memory.CreateRelations(ctx, memory.CreateRelationsArgs{Relations: relations})
	return err
}

// correct turns relations round that were remembered the wrong way.
func correct(ctx context.Context) error {
	found, err := memory.SearchNodes(ctx, memory.SearchNodesArgs{Query: "function"})
	if err != nil {
		return err
	}
	if _, err := memory.DeleteRelations(ctx, memory.DeleteRelationsArgs{Relations: found.Relations}); err != nil {
		return err
	}
	for i, r := range found.Relations {
		found.Relations[i].From, found.Relations[i].To = r.To, r.From
	}
	_, err = memory.CreateRelations(ctx, memory.CreateRelationsArgs{Relations: found.Relations})
	return err
}

// write writes a page about entities, and then the title that it was lacking.
func write(ctx context.Context, path string, entities []memory.Entity, relations []memory.Relation) error {
	var page strings.Builder
	page.WriteString("<!doctype html>\n<title>TITLE</title>\n<form>\n")
	for _, e := range entities {
		name := html.EscapeString(e.Name)
		fmt.Fprintf(&page, "<p><label for=%s>%s</label><input id=%s> %s\n", name, name, name, html.EscapeString(strings.Join(e.Observations, ", ")))
	}
	for _, r := range relations {
		fmt.Fprintf(&page, "<p>%s %s %s\n", html.EscapeString(r.From), r.RelationType, html.EscapeString(r.To))
	}
	page.WriteString("</form>\n")
	if _, err := filesystem.WriteFile(ctx, filesystem.WriteFileArgs{Path: path, Content: page.String()}); err != nil {
		return err
	}
	_, err := filesystem.EditFile(ctx, filesystem.EditFileArgs{Path: path, Edits: []filesystem.Edit{
		{OldText: "TITLE", NewText: fmt.Sprintf("%d functions", len(entities))},
	}})
	return err
}

// review opens the page in a browser and says yes to each function.
func review(ctx context.Context, dir string, entities []memory.Entity) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	go func() { _ = http.Serve(listener, http.FileServer(http.Dir(dir))) }()

	if _, err := playwright.BrowserNavigate(ctx, playwright.BrowserNavigateArgs{URL: "http://" + listener.Addr().String()}); err != nil {
		return err
	}
	defer playwright.BrowserClose(ctx, playwright.BrowserCloseArgs{})
	var fields []playwright.BrowserFillFormField
	for _, e := range entities {
		fields = append(fields, playwright.BrowserFillFormField{Name: e.Name, Target: "#" + e.Name, Type: playwright.BrowserFillFormFieldTypeTextbox, Value: "yes, " + e.Name})
	}
	if _, err := playwright.BrowserFillForm(ctx, playwright.BrowserFillFormArgs{Fields: fields}); err != nil {
		return err
	}
	page, err := playwright.BrowserSnapshot(ctx, playwright.BrowserSnapshotArgs{})
	if err != nil {
		return err
	}
	for line := range strings.Lines(page.Text()) {
		if _, answer, ok := strings.Cut(line, "]: "); ok && strings.Contains(line, "textbox") {
			fmt.Print(answer)
		}
	}
	title, err := playwright.BrowserEvaluate(ctx, playwright.BrowserEvaluateArgs{Function: "() => document.title"})
	if err != nil {
		return err
	}
	fmt.Println(strings.Contains(title.Text(), `"2 functions"`))
	return nil
}
