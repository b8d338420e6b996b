import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDock, type Session } from "drydock";
import { percentile } from "./measure.ts";

export interface ForkFigures {
  /** Of each fork, at the median, in milliseconds: the time of a call ÷ the copies that it made. */
  forkMs: number;
  /** A bare `os.fork` in the same interpreter, right before and after. */
  bareMs: number;
  /** PSS of an idle fork: its warden and its interpreter. */
  idleBytes: number;
  /** Fork, one step, close: a second, one after the other, and two at once. */
  cyclesPerSecond: number;
  cyclesPerSecondByTwo: number;
}

const COPIES = 100;
const CALLS = 5;
const CYCLES = 40;
const SET_UP = "import os, time\nimport pandas as pd\nsales = pd.DataFrame({'units': range(1000)})";
const BARE = `
times = []
for _ in range(${COPIES}):
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0: os._exit(0)
    times.append(time.perf_counter() - start)
    os.waitpid(pid, 0)
result = sorted(times)[len(times) // 2] * 1000
`;

/** Copies of a session that has imported pandas. */
export async function measureForks(directory: string, say: (text: string) => void): Promise<ForkFigures> {
  const home = join(directory, "forks");
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "policy.yaml"), `sessions:\n  live: ${COPIES + 8}\n  tasks: 10000\n`);
  const dock = await createDock({ home });
  try {
    const session = await dock.sessions.open();
    await run(session, SET_UP);
    await closeAll(await session.fork(2));
    const perFork: number[] = [];
    const bare: number[] = [];
    let idleBytes = 0;
    for (let call = 0; call < CALLS; call++) {
      bare.push((await run(session, BARE)) as number);
      say(`fork(${COPIES}), ${call + 1} of ${CALLS}`);
      const before = listProcesses();
      const start = performance.now();
      const forks = await session.fork(COPIES);
      perFork.push((performance.now() - start) / COPIES);
      await sleep(500);
      idleBytes = sumPss(listProcesses().filter((pid) => !before.includes(pid))) / COPIES;
      await closeAll(forks);
      await sleep(500);
    }
    return {
      forkMs: percentile(perFork, 0.5),
      bareMs: percentile(bare, 0.5),
      idleBytes,
      cyclesPerSecond: await measureCycles(session, 1),
      cyclesPerSecondByTwo: await measureCycles(session, 2),
    };
  } finally {
    await dock.close();
  }
}

async function measureCycles(session: Session, atOnce: number): Promise<number> {
  const start = performance.now();
  const lane = async () => {
    for (let cycle = 0; cycle < CYCLES / atOnce; cycle++) {
      const [fork] = await session.fork();
      if (!fork) throw new Error("there is no fork");
      await run(fork, "int(sales.units.sum())");
      await fork.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return (CYCLES * 1000) / (performance.now() - start);
}

async function run(session: Session, code: string): Promise<unknown> {
  const { result, error } = await session.exec(code, { unsafe: true });
  if (error) throw new Error(`the session said ${error.message}`);
  return result;
}

async function closeAll(forks: readonly Session[]): Promise<void> {
  await Promise.all(forks.map((fork) => fork.close()));
}

/** Those in process namespaces other than this one. */
function listProcesses(): number[] {
  const own = readlinkSync("/proc/self/ns/pid");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readlinkSync(`/proc/${name}/ns/pid`) === own ? [] : [Number(name)];
      } catch {
        return []; // It ended meanwhile, or belongs to somebody else.
      }
    });
}

function sumPss(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    try {
      const found = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
      return total + Number(found?.[1] ?? 0) * 1024;
    } catch {
      return total;
    }
  }, 0);
}
