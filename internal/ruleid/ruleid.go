// Package ruleid has the ids of those rules of drift that programs name without linking
// the catalogue, which package drift has.
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
