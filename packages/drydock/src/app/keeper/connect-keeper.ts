import { createConnection } from "node:net";
import { DrydockError } from "@drydock/protocol";
import { createKeeperClient, type KeeperClient } from "./keeper-client.ts";
import { openSocketAddress, type SocketAddress } from "./keeper-socket.ts";
import { createLineReader } from "./line-reader.ts";
import { KEEPER_VERSION, type KeeperReply, MAX_REPLY_BYTES } from "./messages.ts";
import { ownLedger } from "./own-ledger.ts";

/** What connecting fails with where there is no keeper, or only the socket of a dead one, or one that is just ending. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** Null where no keeper serves this home. */
export async function connectKeeper(home: string): Promise<KeeperClient | null> {
  const address = openAddress(home);
  if (!address) return null;
  const socket = createConnection(address.path);
  const client = createKeeperClient(socket);
  try {
    const greeted = await new Promise<{ keeper: number; ledger: string | null } | null>((resolve, reject) => {
      const receive = (line: string) => {
        const reply = parseReply(line);
        if (!reply) socket.destroy();
        else if ("keeper" in reply) resolve(reply);
        else client.receive(reply);
      };
      const reader = createLineReader(MAX_REPLY_BYTES, receive, () => socket.destroy());
      socket.on("data", (chunk: Buffer) => reader.push(chunk));
      socket.on("error", (error) => (isAbsence(error) ? resolve(null) : reject(unreachable(address.path, error))));
      socket.on("close", () => resolve(null));
    });
    if (greeted?.keeper === KEEPER_VERSION && greeted.ledger === ownLedger()) return client;
    socket.destroy();
    if (greeted === null) return null;
    if (greeted.keeper === KEEPER_VERSION) throw otherLedger(greeted.ledger);
  } finally {
    address.release();
  }
  const hint = "Close its sessions with the version of drydock that opened them, then try again.";
  throw new DrydockError("internal", "The keeper of this home belongs to another version of Drydock.", hint);
}

/**
 * Connects to the keeper of a home, and starts one where there is none. `startKeeper` resolves once one listens; that
 * one may have ended again before we reach it, so the way is gone a few times.
 */
export async function ensureKeeper(home: string, startKeeper: () => Promise<void>): Promise<KeeperClient> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const client = await connectKeeper(home);
    if (client) return client;
    await startKeeper();
  }
  const hint = "Run `drydock doctor`: it says what this machine lacks.";
  throw new DrydockError("internal", `The session keeper of ${home} ends as soon as it starts.`, hint);
}

function parseReply(line: string): KeeperReply | null {
  try {
    return JSON.parse(line) as KeeperReply;
  } catch {
    return null;
  }
}

/** Null where there is not even a home. */
function openAddress(home: string): SocketAddress | null {
  try {
    return openSocketAddress(home);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw unreachable(home, error);
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && ABSENT.has(String(error.code));
}

function unreachable(path: string, cause: unknown): DrydockError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint = "Only the user who opened the sessions can use them.";
  return new DrydockError("internal", `The keeper's socket ${path} can't be used: ${reason}`, hint, {}, cause);
}

/** Its sessions would be recorded elsewhere than what this process does. */
function otherLedger(ledger: string | null): DrydockError {
  const message = `The sessions of this home are recorded in another ledger: ${ledger ?? "that of DRYDOCK_HOME"}.`;
  const hint =
    ledger === null
      ? "Close them without DATABASE_URL (`drydock session list`), or wait until they end; then try again."
      : "Set DATABASE_URL to that database.";
  return new DrydockError("ledger.unavailable", message, hint, { reason: "other-ledger", database: ledger });
}
