package codec

import (
	"errors"
	"fmt"
	"testing"
)

func TestPointerErrors(t *testing.T) {
	err := within("a/b", within("0", errors.New("wrong")))
	if err.Error() != `at "/a~1b/0": wrong` || pointerOf(fmt.Errorf("so: %w", err)) != "/a~1b/0" {
		t.Errorf("got %v", err)
	}
}
