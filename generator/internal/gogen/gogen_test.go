package gogen

import (
	"bytes"
	"go/format"
	"testing"
)

func TestPackage(t *testing.T) {
	files, err := Package(sample(), []byte("{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Logf("%s\n%s", f.Name, f.Data)
		if f.Name == snapshotName {
			continue
		}
		again, err := format.Source(f.Data)
		if err != nil || !bytes.Equal(again, f.Data) {
			t.Errorf("%s is not formatted: %v", f.Name, err)
		}
	}
}
