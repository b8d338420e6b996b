import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { createAdaptorServer } from "@hono/node-server";
import { createDock, type Dock, loadServerAddress, type RunningSources, type RunningWorker } from "../../app/index.ts";
import type { AnyAgent } from "../../tasks/index.ts";
import { createBackgroundRuns } from "./background-runs.ts";
import { createApp } from "./create-app.ts";
import { answerBroken } from "./guard/answer-broken.ts";
import { warnOfFault } from "./guard/answer-error.ts";
import { isLoopback, requireLocalPage, requireToken } from "./guard/authorize.ts";
import { createRateLimit } from "./guard/limit-rate.ts";
import { watchStreams } from "./guard/watch-streams.ts";
import { createInputs } from "./inputs.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { DEFAULT_LIMITS, type HttpLimits, type ServeOptions } from "./options.ts";
import { createIdempotency } from "./route/idempotency.ts";
import { createActivity, type ServerContext } from "./server-context.ts";
import { writeConsoleAddress } from "./sign-in/console-address.ts";
import { createSignIns } from "./sign-in/create-sign-ins.ts";
import { acceptSockets } from "./socket/accept-sockets.ts";
import { type KeptToken, readToken } from "./token.ts";

export interface DrydockServer {
  readonly url: string;
  readonly port: number;
  /** What callers must show; null where everybody on this machine is let in. */
  readonly token: string | null;
  /** The file of the token; null if the caller passed the token, or if there is none. */
  readonly tokenFile: string | null;
  /** The token is new: it was made by this start. */
  readonly isTokenNew: boolean;
  readonly dock: Dock;
  /** The console's address. With a token it has a code that signs one browser in, once, within ten minutes. */
  createConsoleAddress(): Promise<string>;
  /**
   * Takes no more requests, waits for those under way, hands goals back (paused, to be resumed), and then closes the
   * dock where it is the server's own.
   */
  close(): Promise<void>;
}

const DEFAULT_PORT = 8088;
const DEFAULT_HOST = "127.0.0.1";
const SHUTDOWN_MS = 10_000;
const KEEP_ALIVE_MS = 75_000;
/** How long a stream goes on after its token was revoked, at most. */
const RECHECK_MS = 1000;

/** Serves a dock over HTTP: on this machine only and with a token, where nothing else is said. */
export async function serve(agents: readonly AnyAgent[] = [], options: ServeOptions = {}): Promise<DrydockServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, auth = true, shutdownMs = SHUTDOWN_MS } = options;
  if (!auth && !isLoopback(host)) {
    throw new DrydockError(
      "input.invalid",
      `Without a token the server can't listen on ${host}, where others could reach it.`,
      "Leave out --no-auth, or listen on 127.0.0.1.",
      { host },
    );
  }
  const limits = readLimits(options.limits);
  let observe: Metrics["observe"] = () => {};
  const onEvents: Metrics["observe"] = (events) => observe(events);
  const dock = options.dock ?? (await createDock({ ...options, isShared: true, onEvents }));
  let sources: RunningSources | undefined;
  const release = async () => {
    await sources?.close();
    if (!options.dock) await dock.close();
  };
  try {
    // With invalid settings nothing would run: the error goes to the user who starts the server, not to its callers.
    await dock.policies.show();
    await dock.models.list();
    const kept = await findToken(options, dock, auth);
    sources = await dock.host.sources.serve();
    const hostnames = ["localhost", "127.0.0.1", "[::1]", host, ...(options.hostnames ?? [])];
    const background = createBackgroundRuns(dock, await dock.workers.openQueue(warnOfFault));
    const worker = await startOwnWorker(dock, options.workerSlots);
    const context = createContext({
      ...{ background, dock, agents, limits, hostnames, sources, model: options.model },
      ...{ mcpExtensions: options.mcpExtensions, mcpTools: options.mcpTools },
      signIns: kept && (await createSignIns({ home: dock.home, token: kept.token, hostnames })),
    });
    observe = context.metrics.observe;
    const app = createApp(context);
    const watch = watchStreams(context.authorize, RECHECK_MS);
    const http = createAdaptorServer({
      fetch: async (request, env) => watch(request.headers, await app.fetch(request, env)),
      overrideGlobalObjects: false,
      serverOptions: { connectionsCheckingInterval: 5_000 },
    }) as Server;
    http.headersTimeout = limits.headersMs;
    http.requestTimeout = limits.requestMs;
    // Longer than clients keep theirs: if the server closed first, a client's next request could be lost.
    http.keepAliveTimeout = KEEP_ALIVE_MS;
    http.maxConnections = limits.connections;
    answerBroken(http, limits);
    acceptSockets(http, context, RECHECK_MS);
    const address = await listen(http, port, host);
    // What can't be handled now is counted by `GET /host/status`.
    void dock.host.resume().catch(() => {});
    const url = `http://${host.includes(":") ? `[${host.replaceAll(/[[\]]/g, "")}]` : host}:${address.port}`;
    const notes = await loadServerAddress();
    await notes.noteServer(dock.home, { url, auth: kept !== null });
    let closing: Promise<void> | undefined;
    return {
      url,
      port: address.port,
      token: kept?.token ?? null,
      tokenFile: kept?.file ?? null,
      isTokenNew: kept?.isNew ?? false,
      dock,
      createConsoleAddress: () => writeConsoleAddress(url, dock.home, kept?.token ?? null),
      close() {
        closing ??= shutDown(http, context, shutdownMs, worker)
          .finally(() => notes.forgetServer(dock.home, url))
          .finally(release);
        return closing;
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A stream without events must not count as one without a reader. */
function readLimits(overrides: Partial<HttpLimits> | undefined): HttpLimits {
  const limits = { ...DEFAULT_LIMITS, ...overrides };
  return { ...limits, heartbeatMs: Math.min(limits.heartbeatMs, limits.stallMs / 3) };
}

type ServerToken = Omit<KeptToken, "file"> & { file: string | null };

async function findToken({ token }: ServeOptions, dock: Dock, auth: boolean): Promise<ServerToken | null> {
  if (!auth) return null;
  if (token === undefined) return readToken(dock.home);
  if (token.length >= 16 && /^[\x21-\x7e]+$/.test(token)) return { token, file: null, isNew: false };
  const hint = "Give one of at least 16 letters and digits, or none to have one made.";
  throw new DrydockError("input.invalid", "The token can't be used.", hint);
}

/** What the routes need, without a socket. */
function createContext(
  parts: Pick<
    ServerContext,
    | "background"
    | "dock"
    | "agents"
    | "limits"
    | "sources"
    | "model"
    | "hostnames"
    | "mcpExtensions"
    | "mcpTools"
    | "signIns"
  >,
): ServerContext {
  const { background, dock, limits, signIns } = parts;
  const authorize = signIns === null ? requireLocalPage() : requireToken(signIns.findScope);
  return {
    ...parts,
    authorize,
    limitRate: createRateLimit(limits),
    idempotency: createIdempotency(join(dock.home, "http", "keys")),
    metrics: createMetrics(dock, background.count),
    inputs: createInputs(),
    activity: createActivity(),
  };
}

async function listen(http: Server, port: number, host: string): Promise<AddressInfo> {
  http.listen(port, host.replaceAll(/[[\]]/g, ""));
  await once(http, "listening").catch((error: NodeJS.ErrnoException) => {
    throw explainListenError(error, host, port);
  });
  http.on("error", (error) => process.emitWarning(error.message, "DrydockWarning"));
  return http.address() as AddressInfo;
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): DrydockError {
  const data = { host, port };
  if (error.code === "EADDRINUSE") {
    const hint = `Choose another with --port, or 0 for any; \`ss -ltnp sport = :${port}\` shows who has it.`;
    return new DrydockError("input.invalid", `Port ${port} on ${host} is in use already.`, hint, data, error);
  }
  if (error.code === "EACCES") {
    const hint = "Ports below 1024 are for the system: choose a higher one with --port.";
    return new DrydockError("input.invalid", `Port ${port} may not be used by this user.`, hint, data, error);
  }
  const hint = "Check --host and --port.";
  return new DrydockError("input.invalid", `The server can't listen on ${host}:${port}: ${error.message}`, hint, data);
}

/** A server carries out what waits, as other workers do: one that is alone works like one without a queue. */
async function startOwnWorker({ workers }: Dock, slots: number | undefined): Promise<RunningWorker | null> {
  if (!workers.isShared || slots === 0) return null;
  return workers.work({ slots, onNote: (text) => process.emitWarning(text, "DrydockWarning") });
}

/** What is not done in time is carried out by another worker. */
async function endWorker(worker: RunningWorker | null, patience: AbortSignal): Promise<void> {
  const isOver = new Promise<void>((done) => patience.addEventListener("abort", () => done(), { once: true }));
  await Promise.race([worker?.drain(), ...(worker && !patience.aborted ? [isOver] : [])]);
  await worker?.close();
}

async function shutDown(
  http: Server,
  { activity, background, sources }: ServerContext,
  patienceMs: number,
  worker: RunningWorker | null,
): Promise<void> {
  const closed = once(http, "close");
  activity.drain();
  http.close();
  http.closeIdleConnections();
  const timer = setTimeout(() => activity.stop(), patienceMs);
  const { stopping } = activity;
  await Promise.all([
    activity.idle(),
    background.handBack(stopping),
    sources.close(stopping),
    endWorker(worker, stopping),
  ]);
  clearTimeout(timer);
  // Answers that are written already still have to reach their readers.
  const last = setTimeout(() => http.closeAllConnections(), 500);
  const idle = setInterval(() => http.closeIdleConnections(), 50);
  await closed;
  clearTimeout(last);
  clearInterval(idle);
}
