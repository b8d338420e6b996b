import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { expect, test } from "vitest";

/** Asks for a directory, once as one that waits for the answer, and twice as one that does not. */
const ASK = `
import os, socket, sys
sys.path.insert(0, sys.argv[1])
from files import broker

opened = []
def open_root(message, pid):
    opened.append(os.open("/", os.O_PATH))
    return opened[-1], {}
def refuse(message, pid):
    raise OSError(5, "refused")
handlers = {"root": open_root, "refuse": refuse}

def ask(data, hear):
    mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if not hear: mine.close()
    broker._answer(handlers, data, 0, theirs)
    return socket.recv_fds(mine, 4096, 1)[:2] if hear else None

answer, got = ask(b'{"op": "root"}', True)
print(answer.decode(), len(got))
ask(b'{"op": "root"}', False)
ask(b'{"op": "refuse"}', False)
def is_open(descriptor):
    try: os.fstat(descriptor)
    except OSError: return False
    return True
os.close(got[0])
print([is_open(each) for each in opened])
`;

test("an asker that is gone costs the broker neither its life nor a descriptor", () => {
  const kernel = dirname(import.meta.dirname);
  const reply = execFileSync("/usr/bin/python3", ["-I", "-c", ASK, kernel], { encoding: "utf8" });
  expect(reply).toBe('{"ok": true} 1\n[false, false]\n'.replaceAll("false", "False"));
});
