import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();
const MB = 1 << 20;
/** The disk is large and stays empty: its room is not to be had as memory. */
const LIMITS = { memoryMb: 64, diskMb: 512, wallSeconds: 30 };

const PRELUDE = `
import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.shmat.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
`;

describe.skipIf(process.arch !== "x64")("memory that the kernel keeps, and no process has", () => {
  const ways = {
    "semaphore sets": `
held = 0
while libc.semget(0, 32000, 0o600) >= 0:
    held += 2 << 20
    time.sleep(0.002)
`,
    "message queues": `
held, message = 0, (1).to_bytes(8, "little") + bytes(4096)
while held < 1 << 30:
    queue = libc.msgget(0, 0o600)
    if queue < 0: break
    while libc.msgsnd(queue, message, 4096, 0o4000) == 0: held += 4096
`,
    "Landlock rules": `
import struct
attributes, held = struct.pack("QQ", 0, 3), 0
while held < 1 << 30:
    rules = libc.syscall(444, attributes, 16, 0)
    if rules < 0: break
    for port in range(65536):
        if libc.syscall(445, rules, 2, struct.pack("QQ", 1, port), 0) != 0: break
        held += 64
`,
    "descriptions of mappings": `
for _ in range(24):
    if os.fork() == 0:
        for number in range(65000): libc.mmap(None, 4096, 1 + (number & 1) * 2, 0x22, -1, 0)
        time.sleep(20); os._exit(0)
time.sleep(20)
held = 24 * 65000 * 256
`,
    "segments that are attached and not in use": `
held = 0
while held < 1 << 30:
    segment = libc.shmget(0, 16 << 20, 0o1600)
    if segment < 0: break
    at = libc.shmat(segment, None, 0); ctypes.memset(at, 1, 16 << 20); libc.madvise(at, 16 << 20, 4)
    held += 16 << 20
    time.sleep(0.01)
`,
    "shared mappings that are unmapped but for one page": `
held = 0
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
for size in (16 << 20, 1 << 20):
    for _ in range((512 << 20) // size):
        at = libc.mmap(None, size, 3, 0x21, -1, 0)
        if at == ctypes.c_void_p(-1).value: break
        ctypes.memset(at, 1, size); libc.munmap(at + 4096, size - 4096)
        held += size
        time.sleep(0.002)
`,
    "the same of /dev/zero": `
held, zero = 0, os.open("/dev/zero", os.O_RDWR)
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
for _ in range(32):
    at = libc.mmap(None, 16 << 20, 3, 1, zero, 0)
    if at == ctypes.c_void_p(-1).value: break
    ctypes.memset(at, 1, 16 << 20); libc.munmap(at + 4096, (16 << 20) - 4096)
    held += 16 << 20
`,
    "the same by a process that may not be looked into": `
libc.prctl(4, 0, 0, 0, 0)
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
held = 0
for _ in range(256):
    at = libc.mmap(None, 1 << 20, 3, 0x21, -1, 0)
    if at == ctypes.c_void_p(-1).value: break
    ctypes.memset(at, 1, 1 << 20); libc.munmap(at + 4096, (1 << 20) - 4096)
    held += 1 << 20
    time.sleep(0.004)
`,
    "its own memory, by a process that may not be looked into": `
libc.prctl(4, 0, 0, 0, 0)
pieces = []
for _ in range(20):
    pieces.append(b"x" * (8 << 20)); time.sleep(0.02)
held = len(pieces) << 23
`,
    "and by one that such a process has started": `
libc.prctl(4, 0, 0, 0, 0)
for _ in range(4):
    if os.fork() == 0:
        pieces = b"x" * (40 << 20); time.sleep(2); os._exit(0)
time.sleep(1)
held = 160 << 20
`,
    "and of files in memory": `
held = 0
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
for number in range(64):
    file = libc.memfd_create(b"x", 0)
    if file < 0: break
    os.ftruncate(file, 16 << 20)
    at = libc.mmap(None, 16 << 20, 3, 1, file, 0)
    ctypes.memset(at, 1, 16 << 20); libc.munmap(at + 4096, (16 << 20) - 4096); os.close(file)
    held += 16 << 20
    time.sleep(0.01)
`,
  };

  for (const [name, code] of Object.entries(ways)) {
    test(name, { timeout: 60_000 }, async () => {
      const result = await it.attack(`${PRELUDE}${code}\nresult = held`, { limits: LIMITS });
      if (result.ok) expect(result.result).toBeLessThan(64 * MB);
      else expect(result.error?.code).toBe("limit.memory");
      expect(result.usage.peakMemoryBytes).toBeLessThan(400 * MB);
    });
  }
});

describe("what honest programs do with shared memory", () => {
  test("POSIX semaphores, pools, queues and shared memory of multiprocessing", async () => {
    const result = await it.attack(
      `
import multiprocessing as m
from multiprocessing import shared_memory
def double(x): return 2 * x
with m.Pool(2) as pool: doubled = pool.map(double, range(4))
queue, value = m.Queue(), m.Value("i", 0)
def work():
    with value.get_lock(): value.value += 1
    queue.put("done")
workers = [m.Process(target=work) for _ in range(3)]
for worker in workers: worker.start()
said = [queue.get() for _ in workers]
for worker in workers: worker.join()
block = shared_memory.SharedMemory(create=True, size=1 << 20)
block.buf[:5] = b"hello"
again = shared_memory.SharedMemory(block.name)
text = bytes(again.buf[:5]).decode()
again.close(); block.close(); block.unlink()
result = [doubled, said, value.value, text]
`,
    );
    expect(result.error).toBe(null);
    expect(result).toMatchObject({ ok: true, result: [[0, 2, 4, 6], ["done", "done", "done"], 3, "hello"] });
  });

  test("mappings without a file, and zeros from /dev/zero", async () => {
    const result = await it.attack(`
import mmap, os, subprocess
shared = [mmap.mmap(-1, 1 << 20) for _ in range(20)]
if os.fork() == 0:
    shared[3][:5] = b"hello"; os._exit(0)
os.wait()
private = mmap.mmap(-1, 32 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
copied = subprocess.run(["head", "-c", "100000", "/dev/zero"], capture_output=True).stdout
result = [shared[3][:5].decode(), len(private), copied == bytes(100000)]
`);
    expect(result).toMatchObject({ ok: true, result: ["hello", 32 << 20, true] });
  });

  test.skipIf(process.arch !== "x64")("a segment of System V, within the memory of the run", async () => {
    const result = await it.attack(`${PRELUDE}
segment = libc.shmget(4711, 16 << 20, 0o1600)
at = libc.shmat(segment, None, 0); ctypes.memset(at, 1, 16 << 20)
time.sleep(0.2)
result = ctypes.c_ubyte.from_address(at + 4096).value
`);
    expect(result.error).toBe(null);
    expect(result).toMatchObject({ ok: true, result: 1 });
  });

  test("as many files as the disk has names for, with little memory", { timeout: 60_000 }, async () => {
    const result = await it.attack(
      `
import os, time
for number in range(60_000):
    if number % 1000 == 0: os.mkdir("/tmp/%d" % (number // 1000))
    os.mknod("/tmp/%d/%d" % (number // 1000, number))
time.sleep(0.2)
result = sum(1 for _, _, names in os.walk("/tmp") for name in names)
`,
      { limits: LIMITS },
    );
    expect(result).toMatchObject({ ok: true, result: 60_000 });
  });
});
