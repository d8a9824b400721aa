//go:build unix

package regular

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// ownerOf returns the owner of a file, and whether the owner's files are trusted.
func ownerOf(_ string, info fs.FileInfo) (name string, own bool, err error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false, fmt.Errorf("the system reports no owner")
	}
	id := strconv.FormatUint(uint64(stat.Uid), 10)
	if isOwn(id, os.Geteuid(), os.Getenv("SUDO_UID")) {
		return id, true, nil
	}
	if u, err := user.LookupId(id); err == nil {
		return u.Username, false, nil
	}
	return "user " + id, false, nil
}

// isOwn reports whether files of owner are trusted by a process with the effective id: files of the same
// user, of root and, under sudo, of the user who called it.
func isOwn(owner string, effective int, sudo string) bool {
	return owner == "0" || owner == strconv.Itoa(effective) || effective == 0 && owner == sudo
}

// everybodyWrites reports whether the mode allows everybody to write. The mode of a symbolic link is
// ignored.
func everybodyWrites(info fs.FileInfo) bool {
	return info.Mode().Type() != fs.ModeSymlink && info.Mode().Perm()&0o002 != 0
}
