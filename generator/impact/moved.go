package impact

const (
	runtimePath = "github.com/mcpgen/mcpgen/runtime"
	codecPath   = runtimePath + "/codec"

	protocolPath = runtimePath + "/protocol"
)

// A Move is an exported name of package runtime that is in another package now, under
// the same name.
type Move struct {
	Name string
	To   string // import path
}

// Moved lists the names of package runtime that users of generated code wrote, and that
// have moved since, in the order in which they did.
func Moved() []Move {
	var moved []Move
	for _, name := range []string{
		"DateTime", "DateTimeOf", "Date", "DateOf", "URI", "URIOf", "UUID", "UUIDOf", "Base64", "Base64Of",
		"Task", "CompleteArgs", "Completion", "Manifest", "NewManifest", "ItemRef",
	} {
		moved = append(moved, Move{name, codecPath})
	}
	for _, name := range []string{
		"MethodCallTool", "MethodGetPrompt", "MethodReadResource", "MethodComplete", "MethodSubscribe",
		"MethodGetTask", "MethodAwaitTask", "MethodUpdateTask", "MethodCancelTask",
		"ContentText", "ContentImage", "ContentAudio", "ContentResource", "ContentLink", "ContentJSON",
	} {
		moved = append(moved, Move{name, protocolPath})
	}
	return moved
}
