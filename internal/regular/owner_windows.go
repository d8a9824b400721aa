package regular

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

// ownerOf returns the owner of a file, and whether the owner's files are trusted: files of the user, the
// Administrators and the system are.
func ownerOf(path string, _ fs.FileInfo) (name string, own bool, err error) {
	descriptor, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return "", false, err
	}
	owner, _, err := descriptor.Owner()
	if err != nil {
		return "", false, err
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", false, err
	}
	own = owner.Equals(user.User.Sid) || owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) || owner.IsWellKnown(windows.WinLocalSystemSid)
	name = owner.String()
	if account, domain, _, err := owner.LookupAccount(""); err == nil {
		name = domain + `\` + account
	}
	return name, own, nil
}

// everybodyWrites returns false: on Windows the mode does not show this.
func everybodyWrites(fs.FileInfo) bool { return false }
