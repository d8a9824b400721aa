package hint

// LeftOut returns the error for a part that a program does not link, since it was
// built with -tags mcpgen_lean. Package live lists these parts. The steps are
// alternatives to a build without the tag.
func LeftOut(part string, steps ...string) error {
	return New("this program was built with -tags mcpgen_lean, which leaves out "+part, append(steps, "build it without the tag")...)
}
