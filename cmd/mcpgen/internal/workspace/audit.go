package workspace

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mcpgen/mcpgen/runtime/audit"
)

// AuditFile is the project's audit log. The error says how to get one.
func (w *Workspace) AuditFile() (string, error) {
	if w.Project.Audit == nil {
		return "", fmt.Errorf("%s: there is no audit log: add audit: {}", w.file())
	}
	return w.Project.Audit.File, nil
}

// ReadAudit hands each record of a log that the filter wants to f, the oldest
// first. Damaged is how many lines hold none. A log that is not there yet has no
// records.
func ReadAudit(file string, filter audit.Filter, f func(audit.Record) error) (damaged int, err error) {
	for r, err := range audit.Read(file, filter) {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		if err == nil {
			err = f(r)
		}
		if err != nil {
			return 0, err
		}
	}
	damaged, err = audit.Damaged(file)
	return damaged, err
}
