import { DrydockError } from "@drydock/protocol";
import { toLedgerError } from "../sqlite/failure.ts";

interface Failure {
  kind: string;
  /** Follows "The ledger in the database …". */
  reason: string;
  remedy: string;
}

const UNREACHABLE: Failure = {
  kind: "unreachable",
  reason: "can't be reached: the server does not answer",
  remedy: "Check that the server runs and that host and port of DATABASE_URL are right.",
};
const PASSWORD: Failure = {
  kind: "password",
  reason: "can't be opened: the server refused user or password",
  remedy: "Check user and password of DATABASE_URL, and the server's pg_hba.conf.",
};
const BUSY: Failure = {
  kind: "busy",
  reason: "stayed locked by another process",
  remedy: "Look for a stopped or hanging drydock process on this database, end it, and try again.",
};
const CORRUPT: Failure = {
  kind: "corrupt",
  reason: "is damaged: the server can't read its own files",
  remedy: "See the server's log, and restore a backup.",
};

/** By SQLSTATE, or by the first two characters of it. */
const FAILURES: Readonly<Record<string, Failure>> = {
  "08": UNREACHABLE,
  "57P01": UNREACHABLE,
  "57P02": UNREACHABLE,
  "57P03": UNREACHABLE,
  "25P03": { ...BUSY, reason: "gave up a transaction: this process had stopped for too long" },
  "28": PASSWORD,
  "3D000": {
    kind: "missing",
    reason: "can't be opened: there is no such database",
    remedy: "Create it (createdb), or correct the name at the end of DATABASE_URL.",
  },
  "53100": {
    kind: "full",
    reason: "can't be written: the server's disk is full",
    remedy: "Free some space on the server; then `drydock prune` removes old runs.",
  },
  "53300": {
    kind: "connections",
    reason: "can't be opened: the server has too many connections",
    remedy: "End processes that are not used, or raise max_connections of the server.",
  },
  "25006": {
    kind: "readonly",
    reason: "can't be written: the server is read-only, as a standby is",
    remedy: "Give the address of the primary server in DATABASE_URL.",
  },
  "42501": {
    kind: "forbidden",
    reason: "can't be used: the user has no right to its tables",
    remedy: "Let the user of DATABASE_URL own the database, or give it one of its own.",
  },
  "55P03": BUSY,
  "57014": BUSY,
  "40001": BUSY,
  "40P01": BUSY,
  "23": {
    kind: "inconsistent",
    reason: "contradicts itself: a row that is about to be written is there already",
    remedy: "Run `drydock audit verify` to see what was tampered with.",
  },
  "42P01": {
    kind: "inconsistent",
    reason: "lacks a table",
    remedy: "Somebody removed it: restore a backup, or use a new database.",
  },
  XX: CORRUPT,
};

/** What no text of PostgreSQL can hold, and what none of its indexes can. */
const REFUSED: Readonly<Record<string, string>> = {
  "22021": "A text has a NUL character, which PostgreSQL can't store.",
  "54000": "A text is too long for an index of PostgreSQL.",
};

/** Reason and remedy for what the server, the way to it, or the home's file system refused. Drydock's own errors pass through. */
export function toPostgresError(error: unknown, { shown, home }: { shown: string; home: string }): unknown {
  if (error instanceof DrydockError) return error;
  const state = sqlState(error);
  const refused = state && REFUSED[state];
  if (refused) return new DrydockError("input.invalid", refused, "Shorten it, or leave the character out.", {});
  const known = describe(error, state);
  if (!known) return toLedgerError(error, home);
  const message = `The ledger in the database ${shown} ${known.reason}.`;
  return new DrydockError("ledger.unavailable", message, known.remedy, { database: shown, reason: known.kind }, error);
}

/** A deadlock, or a conflict that the server has settled in favour of another transaction. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

function describe(error: unknown, state: string | undefined): Failure | undefined {
  if (state) return FAILURES[state] ?? FAILURES[state.slice(0, 2)];
  if (!(error instanceof Error)) return undefined;
  if (isFromConnection(error)) return UNREACHABLE;
  // `pg` reports these two as plain errors, before it asks the server.
  return /^SASL/.test(error.message) ? PASSWORD : undefined;
}

function sqlState(error: unknown): string | undefined {
  const isState = error instanceof Error && "severity" in error && "code" in error && typeof error.code === "string";
  return isState ? (error.code as string) : undefined;
}

const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

function isFromConnection(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.some((each) => each instanceof Error && isFromConnection(each));
  const ofSocket = "syscall" in error && ["connect", "getaddrinfo", "read", "write"].includes(String(error.syscall));
  return (ofSocket && !("path" in error)) || isSocketFile(error) || LOST.test(error.message);
}

/** A socket in a directory has a path as well. */
function isSocketFile(error: Error): boolean {
  return "syscall" in error && error.syscall === "connect";
}
