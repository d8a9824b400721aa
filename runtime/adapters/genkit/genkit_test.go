package genkit_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"

	"github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/adapters/genkit"
	"github.com/mcpgen/mcpgen/runtime/adapters/internal/adaptertest"
)

func TestTools(t *testing.T) {
	options := adaptertest.Options{NoErrors: true, NoFiles: true, Reorders: true, Rounds: true}
	adaptertest.Run(t, options, func(tools ...runtime.Tool) (adaptertest.Driver, error) {
		list, err := genkit.New(tools...)
		find := func(name string) (ai.Tool, error) {
			for _, ref := range list {
				if tool, ok := ref.(ai.Tool); ok && tool.Name() == name {
					return tool, nil
				}
			}
			return nil, errors.New("no such tool")
		}
		return adaptertest.Driver{
			Schema: func(name string) ([]byte, error) {
				tool, err := find(name)
				if err != nil {
					return nil, err
				}
				return json.Marshal(tool.Definition().InputSchema)
			},
			Call: func(ctx context.Context, name, args string) (adaptertest.Reply, error) {
				tool, err := find(name)
				if err != nil {
					return adaptertest.Reply{}, err
				}
				var input any
				if err := json.Unmarshal([]byte(args), &input); err != nil {
					return adaptertest.Reply{}, err
				}
				response, err := tool.RunRawMultipart(ctx, input)
				if err != nil {
					return adaptertest.Reply{}, err
				}
				text, _ := response.Output.(string)
				reply := adaptertest.Reply{Text: text}
				for _, p := range response.Content {
					_, encoded, _ := strings.Cut(p.Text, ",")
					image, err := base64.StdEncoding.DecodeString(encoded)
					if err != nil {
						t.Error(err)
					}
					reply.Images = append(reply.Images, image)
				}
				return reply, nil
			},
		}, err
	})
}

func TestRegistrar(t *testing.T) {
	set := &genkit.Set{}
	adaptertest.RunRegistrar(t, set, func() (names []string) {
		for _, tool := range set.Tools() {
			names = append(names, tool.Name())
		}
		return names
	})
}
