// Package ruleid holds ids of drift rules for programs that do not link package drift, which has the
// whole catalogue.
package ruleid

// The ids.
const (
	ToolAdded         = "tool-added"
	ToolRemoved       = "tool-removed"
	DefinitionInvalid = "definition-invalid"
	AppChanged        = "app-changed"
	SkillFilesChanged = "skill-files-changed"
	BytesChanged      = "launch-bytes-changed"
	LaunchChanged     = "server-launch-changed"
)
