import { DrydockError } from "@drydock/protocol";

/** Where a database is, in words that may be shown: without password and options. */
export interface DatabaseAddress {
  /** `postgres://user@host:5432/name`. */
  shown: string;
  password: string;
}

const NO_HOST = "no-host";
const EXAMPLE = "postgres://USER:PASSWORD@HOST:5432/DATABASE";

/** The text itself goes into no error: it may hold a password, at a place that nobody recognizes as one. */
export function readAddress(url: string): DatabaseAddress {
  // A server that is reached through a socket has no host: `postgres://user@/name?host=/run/postgresql`.
  const text = url.replace(/^(\w+:\/\/[^/]*@)\//, `$1${NO_HOST}/`);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol !== "postgres:" && parsed?.protocol !== "postgresql:") throw unreadable();
  try {
    const user = decodeURIComponent(parsed.username);
    const name = decodeURIComponent(parsed.pathname.slice(1));
    if (name === "") throw unreadable();
    const place = parsed.host === NO_HOST ? (parsed.searchParams.get("host") ?? "localhost") : parsed.host;
    const shown = `postgres://${user && `${user}@`}${place}/${name}`;
    return { shown, password: decodeURIComponent(parsed.password) };
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
