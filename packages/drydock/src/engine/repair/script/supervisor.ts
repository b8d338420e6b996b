import { DOMAIN } from "../python/domain.ts";

/**
 * The program in Python between the driver and a process that runs tests: it starts the command that it is given, keeps it
 * from the driver, and ends all that it has started, once it has ended or nobody wants it any more. The first thing it says
 * is the number of the process. It fails where something of it can't be ended.
 */
export const SUPERVISOR = `
import ctypes, os, select, signal, sys, time
${DOMAIN}
adopt_orphans()
pid = os.fork()
if pid == 0:
    null = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    enter_domain()
    os.execv(sys.argv[1], sys.argv[1:])
os.close(3)
os.write(1, b"%d" % pid)
select.select([0, os.pidfd_open(pid)], [], [])
sys.exit(0 if end_strays(set()) else 1)
`;
