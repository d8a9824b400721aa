// A process and its descendants as a Windows job, which ends with this program.

package proc

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/mcpgen/mcpgen/runtime/endpoint"
)

// group is a job object. This program holds its last handle: when the handle is
// closed, also by the death of this program, the system ends the members.
type group struct {
	mark string // always ""

	mu  sync.Mutex
	job windows.Handle // 0: there is none
	cmd *exec.Cmd      // nil: there is nothing to signal
}

// start starts the leader and puts it into a job. A process that the leader starts
// before that is not a member. Without a job, only the leader is ended.
func (g *group) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cmd = cmd
	if job, err := newJob(uint32(cmd.Process.Pid)); err == nil {
		g.job = job
	}
	return nil
}

func newJob(pid uint32) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, pid)
	}
	if err != nil {
		return 0, errors.Join(err, windows.CloseHandle(job))
	}
	return job, nil
}

func assign(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	return errors.Join(windows.AssignProcessToJobObject(job, process), windows.CloseHandle(process))
}

// wait waits for the end of the leader.
func (g *group) wait(cmd *exec.Cmd) { _ = cmd.Wait() }

// terminate asks the leader to end, if it shares a console with us.
func (g *group) terminate() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cmd != nil {
		_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(g.cmd.Process.Pid)) // kill follows
	}
}

// kill ends the members of the job.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.job != 0:
		_ = windows.TerminateJobObject(g.job, 1) // members may have ended already
	case g.cmd != nil:
		_ = g.cmd.Process.Kill() // likewise
	}
}

// reap closes the job.
func (g *group) reap(*exec.Cmd) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.CloseHandle(g.job) // the members are ended
	}
	g.job, g.cmd = 0, nil
}

// newMark returns no mark: a job knows its members.
func newMark() string { return "" }

// strays are descendants that left the group. A job has none.
type strays struct{}

func (*group) strays() strays { return strays{} }

func (*group) endStrays() {}

func (strays) kill() {}

// find finds the file of a command in the child's PATH, or else by the rules of the
// system.
func find(r endpoint.Process) (string, error) {
	path := r.Variable("PATH")
	if filepath.Base(r.Command) == r.Command {
		for _, dir := range filepath.SplitList(path) {
			if file, err := exec.LookPath(filepath.Join(dir, r.Command)); err == nil {
				return file, nil
			}
		}
	}
	file, err := exec.LookPath(r.Command)
	if err != nil {
		return "", notFound(r, path, err)
	}
	return file, nil
}

// startError explains an error of the operating system.
func startError(r endpoint.Process, path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &StartError{r.Command, r.Dir, path + ": access denied", []string{"check the rights of the file"}, err}
	}
	return &StartError{r.Command, r.Dir, path + ": " + err.Error(), nil, err}
}
