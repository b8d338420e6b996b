import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DrydockError, type SandboxLevel } from "@drydock/protocol";
import { createForkArrivals } from "./fork-arrivals.ts";
import { connectFork, connectMember, type Member } from "./member.ts";
import {
  type ForkServerOptions,
  type MemberKind,
  type SpawnedForkServer,
  spawnForkServer,
} from "./spawn-fork-server.ts";

/** How the server is asked for a member: `kernel/attend/server.py` knows them, too. */
const LETTERS: Record<MemberKind, string> = { python: "p", node: "n", webnode: "w" };

export interface ForkServer {
  readonly pid: number;
  readonly level: SandboxLevel;
  /** Why the level is not a better one. */
  readonly levelReason: string | null;
  /**
   * Of Python: what is imported already, beyond what every interpreter imports. Reported if libraries are preloaded.
   */
  readonly modules: ReadonlySet<string>;
  readonly alive: boolean;
  /** Resolves as soon as it has ended, and otherwise after so long. */
  ended(withinMs: number): Promise<void>;
  spawn(kind: MemberKind): Promise<Member>;
  /** Takes up forks that a session's warden has made, by their names. Without those that are gone or do not answer. */
  connectForks(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Member>>;
  /** Ends it with all its members. */
  stop(): Promise<void>;
}

interface Ready {
  event: "ready";
  level: SandboxLevel;
  levelReason: string | null;
  modules?: string[];
}
type Message =
  | Ready
  | { event: "failed"; reason: string; detail?: string; missing?: Missing | null }
  | { event: "member-failed"; reason: string };

const START_TIMEOUT_MS = 60_000;
/** What the machine lacks, and what to do about it. */
type Missing = "namespaces" | "engine";
const HINTS: Record<Missing, string> = {
  namespaces:
    "Allow them: `sysctl -w user.max_user_namespaces=10000`, on Ubuntu also `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, " +
    "in a container `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`. " +
    "Or accept the weaker level in the home policy, which needs Linux 6.12: `drydock policy set sandbox.level landlock`.",
  engine:
    "`drydock doctor` says what this backend needs. Or the owner names another one: `drydock policy set sandbox.backends '[namespaces]'`.",
};

export function startForkServer(options: ForkServerOptions): Promise<ForkServer> {
  return watchForkServer(spawnForkServer(options));
}

export function watchForkServer({ child, options }: SpawnedForkServer): Promise<ForkServer> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error("a fork server has pipes");
  const gone = new AbortController();
  let whyGone = "it ended";
  let missing: Missing | undefined;
  let complaint = "";
  stdin.on("error", () => {});
  stderr.on("data", (data: Buffer) => {
    complaint = (complaint + data.toString()).slice(-4000);
  });
  const end = (reason: string) => {
    if (gone.signal.aborted) return;
    whyGone = reason;
    gone.abort();
    child.kill("SIGKILL");
  };
  let promised = options.hasty;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const unavailable = (reason: string) =>
    new DrydockError(
      "sandbox.unavailable",
      `The sandbox could not be started: ${reason}`,
      missing ? HINTS[missing] : "Run `drydock doctor`: it tests each part and says what to do.",
      { reason, ...(missing && { missing }) },
    );

  const spawnMember = async (kind: MemberKind): Promise<Member> => {
    if (gone.signal.aborted) throw unavailable(whyGone);
    if (kind === promised) promised = null;
    else stdin.write(LETTERS[kind]);
    try {
      return await connectMember(join(options.directory, `${kind}.sock`), gone.signal);
    } catch {
      throw unavailable(whyGone);
    }
  };

  const connectForks = createForkArrivals((signal) =>
    connectFork(join(options.directory, "fork.sock"), AbortSignal.any([gone.signal, signal])),
  );

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end("it did not become ready in time"), START_TIMEOUT_MS);
    gone.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(unavailable(whyGone));
    });
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(complaint.trim().split("\n").at(-1) || `it ended with ${signal ?? code}`));
    createInterface({ input: stdout }).on("line", (line) => {
      const message = JSON.parse(line) as Message;
      if (message.event === "failed") missing = message.missing ?? undefined;
      if (message.event !== "ready") return end(message.reason);
      clearTimeout(timer);
      resolve({
        pid: child.pid ?? 0,
        level: message.level,
        levelReason: message.levelReason,
        modules: new Set(message.modules),
        get alive() {
          return !gone.signal.aborted;
        },
        ended: (withinMs) => waitFor(gone.signal, withinMs),
        spawn: spawnMember,
        connectForks,
        async stop() {
          stdin.end();
          const patience = setTimeout(() => child.kill("SIGKILL"), 2000);
          await exited;
          clearTimeout(patience);
        },
      });
    });
    for (const stream of [child, stdout, stderr, stdin]) (stream as unknown as { unref?: () => void }).unref?.();
  });
}

async function waitFor(signal: AbortSignal, withinMs: number): Promise<void> {
  if (!signal.aborted) await once(signal, "abort", { signal: AbortSignal.timeout(withinMs) }).catch(() => {});
}
