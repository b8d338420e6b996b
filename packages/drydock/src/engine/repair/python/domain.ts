/** Part of Python programs in the sandbox: how a process is kept from the others. */
export const DOMAIN = `
libc = ctypes.CDLL(None)

def enter_domain():
    """A Landlock domain of its own: from here on this process and what it starts can neither signal the processes
    outside nor look into them, and so can't answer in their place. Where the kernel or the sandbox has none of these, only
    the run that confirms a candidate stands behind what it reports."""
    ruleset = libc.syscall(444, (ctypes.c_uint64 * 3)(0, 0, 2), 24, 0)
    if ruleset >= 0:
        libc.syscall(446, ruleset, 0)
        os.close(ruleset)

def parent_of(name):
    try:
        with open("/proc/" + name + "/stat", "rb") as file:
            return int(file.read().rsplit(b")", 1)[1].split()[1])
    except OSError:
        return 0

def list_children():
    """Orphans are among them, where this process adopts them. The kernel's own list also has those that made themselves
    invisible in /proc."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            return {int(pid) for pid in file.read().split()}
    except OSError:
        # A kernel without that list.
        return {int(name) for name in os.listdir("/proc") if name.isdigit() and parent_of(name) == os.getpid()}

def adopt_orphans():
    libc.prctl(36, 1, 0, 0, 0)

def end_strays(known):
    """Ends descendants that nobody waits for. Never other processes: without namespaces these are the user's. False: some
    of them start others faster than they can be ended."""
    for round in range(50):
        strays = list_children() - known
        if not strays:
            return True
        for pid in strays:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass
        if round:
            time.sleep(0.002)
    return False
`;
