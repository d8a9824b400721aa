package drift

import "github.com/mcpgen/mcpgen/schema"

// This file is the part of the catalogue that is not about schemas. The marks
// are those of catalogue_schema.go.

func toolRows() []itemRow {
	k := []Kind{KindTool}
	return []itemRow{
		{"tool-removed", ClassWire, k, Breaking, "sm", "the tool is gone"},
		{"tool-added", ClassWire, k, Info, "m", "a new tool"},
		{"tool-renamed", ClassWire, k, Breaking, "m", "the tool has another name; the message says how certain that is"},
		{"tool-confusable-added", ClassSecurity, k, Breaking, "m", "the name of a new tool looks like that of another one"},
		{"tool-name-duplicate", ClassSecurity, k, Breaking, "m", "two tools have the same name"},
		{"tool-name-collision", ClassSource, k, Warning, "s", "the names of two tools differ only in case and separators"},
		{"tool-title-changed", ClassModel, k, Off, "m", "the title differs"},
		{"tool-icons-changed", ClassModel, k, Off, "", "the icons differ"},
		{"tool-icon-unsafe", ClassSecurity, k, Warning, "", "a new icon is neither https nor data"},
		{"tool-meta-changed", ClassModel, k, Off, "", "_meta differs"},
		{"tool-meta-ui-changed", ClassSecurity, k, Warning, "", "_meta.ui differs: the tool brings a user interface"},
		{"tool-member-changed", ClassWire, k, Unknown, "", "a member of the definition differs whose meaning is not known"},
		{"tool-description-changed", ClassModel, k, Off, "m", "the description differs"},
		{"tool-description-removed", ClassModel, k, Off, "m", "the description is gone"},
		{"tool-task-required", ClassWire, k, Breaking, "s", "the tool has to be called as a task"},
		{"tool-task-optional", ClassWire, k, Info, "", "the tool may be called as a task"},
		{"tool-task-forbidden", ClassWire, k, Info, "", "the tool cannot be called as a task any more"},
		{"hint-readonly-dropped", ClassSecurity, k, Breaking, "m", "the tool does not say any more that it only reads"},
		{"hint-destructive-raised", ClassSecurity, k, Breaking, "m", "the tool says that it may destroy"},
		{"hint-openworld-raised", ClassSecurity, k, Warning, "m", "the tool says that it reaches out to the world"},
		{"hint-idempotent-dropped", ClassWire, k, Warning, "m", "the tool does not say any more that calling twice is harmless"},
		{"hint-readonly-claimed", ClassSecurity, k, Warning, "m", "the tool claims that it only reads; a claim loosens no gate"},
		{"hint-destructive-lowered", ClassSecurity, k, Warning, "m", "the tool claims that it does not destroy; a claim loosens no gate"},
		{"hint-openworld-lowered", ClassSecurity, k, Info, "m", "the tool claims that it does not reach out to the world"},
		{"hint-idempotent-claimed", ClassSecurity, k, Warning, "m", "the tool claims that calling twice is harmless; a claim loosens no gate"},
		{"hint-default-written", ClassModel, k, Off, "", "a hint is written out or left out, and means what it meant"},
		{"hint-meaningless", ClassModel, k, Off, "", "a hint differs that means nothing while the tool only reads"},
		{"output-schema-added", ClassWire, k, Info, "sm", "results have a schema"},
		{"output-schema-removed", ClassWire, k, Breaking, "sm", "results have no schema any more"},
		{"definition-invalid", ClassSecurity, schema.Kinds(), Breaking, "sm", "the definition cannot be read"},
		{"definition-duplicate-member", ClassSecurity, schema.Kinds(), Breaking, "sm", "a member name occurs twice: readers may disagree about what it says"},
		{SourceIncompatible, ClassSource, schema.Kinds(), Off, "s", "Go code that was written against the generated package does not compile any more"},
		{SourceZeroValue, ClassSource, schema.Kinds(), Off, "s", "Go code compiles as before, and sends or reads a zero value where there was another one or none"},
		{"definition-changed", ClassModel, schema.Kinds(), Off, "", "the definition differs in a way that no other rule is about"},
	}
}

func textRows() []itemRow {
	k := append([]Kind{KindServer}, schema.Kinds()...)
	return []itemRow{
		{"text-invisible", ClassSecurity, k, Breaking, "", "new text has invisible characters"},
		{"text-bidi", ClassSecurity, k, Breaking, "", "new text has characters that change the direction of reading"},
		{"text-control", ClassSecurity, k, Breaking, "", "new text has control characters or terminal sequences"},
		{"text-confusable", ClassSecurity, k, Breaking, "", "new text has a word of letters from alphabets that look alike"},
		{"text-injection", ClassSecurity, k, Breaking, "", "new text gives orders to the model that the user would not"},
		{"text-secret-path", ClassSecurity, k, Breaking, "", "new text asks for a file that holds secrets"},
		{"text-exfiltration-url", ClassSecurity, k, Breaking, "", "new text asks to send something to a new host"},
		{"text-cross-tool", ClassSecurity, k, Breaking, "", "new text gives orders about another tool"},
		{"text-weak-words", ClassSecurity, k, Info, "", "new text has words that injected instructions often have"},
		{"text-secret-words", ClassSecurity, k, Info, "", "new text names secrets"},
		{"text-size-jump", ClassSecurity, k, Warning, "", "the text has grown very much"},
		{"text-encoded-blob", ClassSecurity, k, Warning, "", "new text has a long encoded part"},
	}
}

func serverRows() []itemRow {
	k := []Kind{KindServer}
	return []itemRow{
		{"server-name-changed", ClassModel, k, Warning, "", "the server gives another name"},
		{"server-version-changed", ClassModel, k, Info, "", "the server gives another version"},
		{"server-silent-release", ClassModel, k, Info, "", "tools changed and the server's version did not"},
		{"server-identity-changed", ClassModel, k, Off, "", "the server says something else about itself"},
		{"server-launch-changed", ClassSecurity, k, Breaking, "", "the server is started or reached in another way"},
		{"launch-artifact-changed", ClassSecurity, k, Warning, "", "the same launch ran another version, or other bytes of it"},
		{"server-capability-removed", ClassWire, k, Breaking, "s", "the server cannot do something any more"},
		{"server-capability-added", ClassWire, k, Info, "", "the server can do something new"},
		{"server-capability-changed", ClassWire, k, Info, "", "the server describes a capability in another way"},
		{"server-instructions-changed", ClassModel, k, Off, "m", "the server's instructions differ"},
		{"protocol-version-changed", ClassWire, k, Warning, "", "the server speaks another revision of the protocol"},
		{SurfaceBudgetExceeded, ClassModel, k, Breaking, "", "the definitions of the tools are more than the budget for what a model reads"},
		{"accept-unused", ClassSource, k, Warning, "", "an accepted change did not occur"},
		{"accept-expired", ClassSource, k, Warning, "", "a change was accepted until a day that has passed"},
	}
}

func promptRows() []itemRow {
	p, r, t, s := []Kind{KindPrompt}, []Kind{KindResource}, []Kind{KindTemplate}, []Kind{KindSkill}
	both := []Kind{KindResource, KindTemplate}
	return []itemRow{
		{"prompt-removed", ClassWire, p, Breaking, "sm", "the prompt is gone"},
		{"prompt-added", ClassWire, p, Info, "m", "a new prompt"},
		{"prompt-renamed", ClassWire, p, Breaking, "sm", "the prompt has another name; the message says how certain that is"},
		{"prompt-arg-added-required", ClassWire, p, Breaking, "sm", "a new argument, and it is required"},
		{"prompt-arg-added-optional", ClassWire, p, Info, "m", "a new argument that may be left out"},
		{"prompt-arg-removed", ClassWire, p, Breaking, "sm", "an argument is gone"},
		{"prompt-arg-renamed", ClassWire, p, Breaking, "sm", "an argument has another name, and nothing else about it differs"},
		{"prompt-arg-became-required", ClassWire, p, Breaking, "sm", "an argument that could be left out is required"},
		{"prompt-arg-became-optional", ClassWire, p, Info, "sm", "an argument that was required may be left out"},
		{"prompt-docs-changed", ClassModel, p, Off, "m", "a title or description of the prompt differs"},
		{"resource-removed", ClassWire, r, Warning, "sm", "the resource is gone"},
		{"resource-added", ClassWire, r, Info, "m", "a new resource"},
		{"resource-docs-changed", ClassModel, both, Off, "m", "a name, title or description differs"},
		{"template-removed", ClassWire, t, Breaking, "sm", "the template is gone"},
		{"template-added", ClassWire, t, Info, "m", "a new template"},
		{"template-variables-changed", ClassWire, t, Breaking, "sm", "the template has other variables"},
		{"template-uri-changed", ClassWire, t, Breaking, "sm", "the template has the same name and variables, and makes other URIs"},
		{"resource-scheme-changed", ClassSecurity, both, Breaking, "", "an item of the same name has a URI of another scheme"},
		{"skill-removed", ClassModel, s, Warning, "m", "the skill is gone"},
		{"skill-added", ClassModel, s, Info, "m", "a new skill"},
		{"skill-files-changed", ClassSecurity, s, Breaking, "m", "the files of the skill are not those that were accepted: it tells a model something else"},
		{"skill-became-dynamic", ClassSecurity, s, Breaking, "m", "the server promises nothing about the files of the skill any more"},
		{"skill-docs-changed", ClassModel, s, Off, "m", "the skill is described in another way"},
		{"app-removed", ClassModel, []Kind{KindApp}, Warning, "", "the page is gone"},
		{"app-added", ClassSecurity, []Kind{KindApp}, Warning, "", "a new page of the server, which hosts show to people"},
		{"app-changed", ClassSecurity, []Kind{KindApp}, Breaking, "", "the page that hosts show to people is not the one that was accepted, or asks for more"},
		{"mime-type-changed", ClassWire, both, Warning, "s", "the media type differs"},
	}
}
