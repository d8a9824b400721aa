package regular

import (
	"fmt"
	"os"
	"path/filepath"
)

// This file tells whose a file is that was found above the working folder.

// OwnError returns why a file is not safe to use for somebody who did not name it: it,
// the symbolic link that leads to it or its folder is owned by somebody else than the
// user, root and the one who runs this with sudo, or is writable by everybody. What a
// group may write is no reason. Nil is a file that is safe. On Windows the owner alone
// counts, and the Administrators and the system are what root is elsewhere.
func OwnError(path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return err
	}
	for _, name := range []string{folder, path, target} {
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		owner, own, err := ownerOf(name, info)
		switch {
		case err != nil:
			return fmt.Errorf("cannot tell who owns %s: %w", name, err)
		case !own:
			return fmt.Errorf("%s is owned by %s, who is neither you nor root", name, owner)
		case everybodyWrites(info):
			return fmt.Errorf("everybody may write %s (mode %04o)", name, info.Mode().Perm())
		}
	}
	return nil
}
