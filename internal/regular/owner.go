package regular

import (
	"fmt"
	"os"
	"path/filepath"
)

// This file checks the owner of a file that was found above the working folder.

// OwnError returns why a file is not safe to use for a user who did not name it; nil if it is safe. A
// file is unsafe if the file, a symbolic link to it or its folder is writable by everybody, or is not
// owned by the user, root or the user who runs this with sudo. Permissions of a group are ignored. On
// Windows only the owner is checked; the Administrators and the system count as root.
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
			return fmt.Errorf("%s is writable by everyone (mode %04o)", name, info.Mode().Perm())
		}
	}
	return nil
}
