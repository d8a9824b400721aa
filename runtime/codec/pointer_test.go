package codec

import (
	"errors"
	"fmt"
	"testing"
)

func TestPointerErrors(t *testing.T) {
	err := within("a/b", within("0", errors.New("wrong")))
	if err.Error() != `at "/a~1b/0": wrong` {
		t.Errorf("got %v", err)
	}
	if at, wrong := apart(fmt.Errorf("so: %w", err)); at != "/a~1b/0" || wrong.Error() != "wrong" {
		t.Errorf("got %v", err)
	}
}
