import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { REPAIR_DRIVER } from "./driver.ts";

/** In the place of the work: an orphan in a session of its own. Signals are noted and not sent, since this runs on the host. */
const LEAVE_AN_ORPHAN = `
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    reading, writing = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            os.write(writing, str(os.getpid()).encode())
            time.sleep(20)
        os._exit(0)
    orphan = int(os.read(reading, 32))
    os.wait()
    send, sent = os.kill, set()
    os.kill = lambda pid, number: sent.add(pid)
    end_strays(set())
    send(orphan, signal.SIGKILL)
    tell(ended=sorted(sent), orphan=orphan)
`;

test("what a candidate left behind is ended, and no process of anybody else", () => {
  const program = REPAIR_DRIVER.replace("    main()\n", () => LEAVE_AN_ORPHAN);
  expect(program).not.toBe(REPAIR_DRIVER);
  const printed = execFileSync("/usr/bin/python3", ["-c", program], { input: "{}", encoding: "utf8" });
  const { ended, orphan } = JSON.parse(printed);
  expect(ended).toEqual([orphan]);
});
