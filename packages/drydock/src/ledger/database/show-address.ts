import { DrydockError } from "@drydock/protocol";

const NO_HOST = "no-host";
const EXAMPLE = "postgres://USER:PASSWORD@HOST:5432/DATABASE";

/**
 * Where a database is, in words that may be shown: `postgres://user@host:5432/name`, without password and options. The text
 * itself goes into no error: it may hold a password, at a place that nobody recognizes as one.
 */
export function showAddress(url: string): string {
  const { parsed, name, socket } = parseAddress(url);
  const user = decodeURIComponent(parsed.username);
  return `postgres://${user && `${user}@`}${socket ?? parsed.host}/${name}`;
}

const DEFAULT_PORT = 5432;

/** The host and port of the server; null where it is reached through a socket, and so by nobody without the file. */
export function readServer(url: string): { host: string; port: number } | null {
  const { parsed, socket } = parseAddress(url);
  // As with `pg`, a host or port among the options wins.
  const host = parsed.searchParams.get("host") ?? (socket === undefined ? parsed.hostname : socket);
  if (host.startsWith("/")) return null;
  const port = Number(parsed.searchParams.get("port") ?? (parsed.port || DEFAULT_PORT));
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}

function parseAddress(url: string): { parsed: URL; name: string; socket?: string } {
  // A server that is reached through a socket has no host: `postgres://user@/name?host=/run/postgresql`.
  const text = url.replace(/^(\w+:\/\/[^/]*@)\//, `$1${NO_HOST}/`);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol !== "postgres:" && parsed?.protocol !== "postgresql:") throw unreadable();
  try {
    const name = decodeURIComponent(parsed.pathname.slice(1));
    decodeURIComponent(parsed.username);
    if (name === "") throw unreadable();
    const isSocket = parsed.host === NO_HOST;
    return { parsed, name, ...(isSocket && { socket: parsed.searchParams.get("host") ?? "localhost" }) };
  } catch {
    throw unreadable();
  }
}

function unreadable(): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    "DATABASE_URL is not the address of a PostgreSQL database.",
    `Set it to one like ${EXAMPLE} (special characters of the password as %XX), or unset it to keep the ledger in DRYDOCK_HOME.`,
    { reason: "address" },
  );
}
