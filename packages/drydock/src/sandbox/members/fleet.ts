import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SandboxLevel, SandboxLoad } from "@drydock/protocol";
import { removeControlGroups } from "../collect-leftovers.ts";
import type { RunPlace } from "../start-fork-server-early.ts";
import { type ForkServer, startForkServer, watchForkServer } from "./fork-server.ts";
import type { Member } from "./member.ts";
import { createPool, type Pool } from "./pool.ts";
import type { Confinement, EngineOptions, MemberKind, SpawnedForkServer } from "./spawn-fork-server.ts";

/** Which members a run wants: `data` ones have the libraries of data work imported already. */
export type Crew = "data" | MemberKind;

/** That a server has ended is known at once, unless the machine or this process is busy. */
const NEWS_MS = 2000;
const DATA_LIBRARIES = ["numpy", "pandas", "matplotlib", "matplotlib.pyplot"];
const NAMES_DATA_LIBRARY = /\b(?:numpy|pandas|matplotlib|scipy|sklearn|seaborn)\b/;

/** A guess by name only. A wrong one costs time, never correctness: every crew can import everything. */
export function crewFor(language: string, code: string, environment: Record<string, string> = {}): Crew {
  if (language === "node") return environment.NODE_USE_ENV_PROXY ? "webnode" : "node";
  // Packages of its own may be others than those that are imported already.
  if (environment.PYTHONPATH) return "python";
  return language === "python" && NAMES_DATA_LIBRARY.test(code) ? "data" : "python";
}

export interface FleetOptions extends RunPlace {
  kernel: string;
  warm: number;
  memoryBytes: number;
  diskBytes: number;
  /** Absent: namespaces. */
  confinement?: Confinement;
  engine?: EngineOptions;
  /** A plain server that is starting already. */
  early?: SpawnedForkServer;
  /** Whether no run is under way. */
  isIdle(): boolean;
}

export interface AcquiredMember {
  member: Member;
  level: SandboxLevel;
  /** To be called after a reply: makes up for the member, in the pool that it came from. */
  refill(): void;
  /** The same for a member whose slot runs of this use may go on using. */
  giveBack(use: string): void;
  /** Of a session: takes up one of the forks that its warden has made. */
  connectForks: ForkServer["connectForks"];
}

/** The fork servers of a dock and their pools. A server is started when it is first needed, and again after it died. */
export interface Fleet {
  /**
   * `own` are names of modules that the program brings: a crew that has imported others under such a name is not for it. `use` names
   * runs that may have a slot one after the other; without it, nobody has used what is taken.
   */
  take(crew: Crew, own?: readonly string[], use?: string): Promise<AcquiredMember>;
  /** Whether one waits. */
  isReady(crew: Crew): boolean;
  /** The level and its reason, starting a server if none runs. */
  probe(): Promise<{ level: SandboxLevel; levelReason: string | null }>;
  processIds(): number[];
  pools(): SandboxLoad["pools"];
  close(): Promise<void>;
}

interface Base {
  server: ForkServer;
  record: string;
  pools: Map<MemberKind, Pool>;
}

export function createFleet(options: FleetOptions): Fleet {
  const bases = new Map<"plain" | "data", Promise<Base>>();
  const running = new Map<"plain" | "data", Base>();
  let started = 0;
  let closed: Promise<void> | undefined;

  async function start(name: "plain" | "data"): Promise<Base> {
    const number = ++started;
    const directory = join(options.directory, `s${number}`);
    mkdirSync(directory, { mode: 0o700 });
    const server = await startForkServer({
      ...options,
      directory,
      instance: `${options.instance}-${number}`,
      preload: name === "data" ? DATA_LIBRARIES : [],
      hasty: null,
    });
    return enlist(name, server, directory);
  }

  function enlist(name: "plain" | "data", server: ForkServer, directory: string): Base {
    const base: Base = { server, record: join(directory, "cgroups"), pools: new Map() };
    running.set(name, base);
    return base;
  }

  async function open(name: "plain" | "data", isAgain = false): Promise<Base> {
    const current = running.get(name);
    if (current?.server.alive) return current;
    if (current) {
      running.delete(name);
      bases.delete(name);
      removeControlGroups(current.record);
    }
    const begun = bases.get(name);
    // Somebody else's start may have failed by what happened before this one asked, and is not its last word.
    if (begun) return isAgain || closed ? begun : begun.catch(() => open(name, true));
    const early = name === "plain" && started === 0 ? options.early : undefined;
    if (early) started = 1;
    const base = early
      ? watchForkServer(early).then((server) => enlist(name, server, early.options.directory))
      : start(name);
    bases.set(name, base);
    base.catch(() => bases.delete(name));
    return base;
  }

  function poolOf(base: Base, kind: MemberKind): Pool {
    let pool = base.pools.get(kind);
    if (!pool) {
      const size = kind === "python" ? options.warm : Math.ceil(options.warm / 2);
      pool = createPool(base.server, kind, { size, isIdle: options.isIdle });
      base.pools.set(kind, pool);
    }
    return pool;
  }

  async function takeFrom(base: Base, kind: MemberKind, use?: string): Promise<AcquiredMember> {
    const pool = poolOf(base, kind);
    const { level, connectForks } = base.server;
    const member = await pool.take(use);
    return {
      member,
      level,
      refill: () => pool.refill(),
      giveBack: (usedFor) => pool.giveBack(member, usedFor),
      connectForks,
    };
  }

  function kindFor(crew: Crew): MemberKind {
    if (crew === "data") return "python";
    // A server for a single run has made its only Node already.
    return crew === "webnode" && options.early ? "node" : crew;
  }

  async function baseFor(crew: Crew, own: readonly string[]): Promise<Base> {
    if (crew !== "data") return open("plain");
    const data = running.get("data");
    if (data?.server.alive) return own.some((name) => data.server.modules.has(name)) ? open("plain") : data;
    // Importing takes the better part of a second: this run goes ahead and imports for itself, the next ones find it done.
    if (options.warm > 0)
      void open("data").then(
        (base) => poolOf(base, "python").refill(),
        () => {},
      );
    return open("plain");
  }

  return {
    async take(crew, own = [], use) {
      const kind = kindFor(crew);
      const base = await baseFor(crew, own);
      try {
        return await takeFrom(base, kind, use);
      } catch (error) {
        // If it died before anybody noticed, the news is on its way, and the next one takes over.
        await base.server.ended(NEWS_MS);
        if (base.server.alive || closed) throw error;
        return await takeFrom(await baseFor(crew, own), kind, use);
      }
    },
    isReady(crew) {
      const base = running.get(crew === "data" ? "data" : "plain");
      return (base?.pools.get(kindFor(crew))?.waiting ?? 0) > 0;
    },
    async probe() {
      const { server } = await open("plain");
      return { level: server.level, levelReason: server.levelReason };
    },
    processIds: () => [...running.values()].map(({ server }) => server.pid),
    pools: () =>
      [...running].flatMap(([name, base]) =>
        [...base.pools].map(([kind, { waiting, size }]) => ({
          name: name === "data" ? name : kind,
          ready: waiting,
          size,
        })),
      ),
    close() {
      closed ??= end();
      return closed;
    },
  };

  async function end(): Promise<void> {
    const started = await Promise.allSettled(bases.values());
    for (const base of started) {
      if (base.status !== "fulfilled") continue;
      for (const pool of base.value.pools.values()) pool.close();
      await base.value.server.stop();
      removeControlGroups(base.value.record);
    }
  }
}
