import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readTelemetrySettings, type TelemetrySettings } from "./telemetry/telemetry-settings.ts";

/** Everything that the surroundings decide. This is the only place that looks at them. */
export interface Config {
  /** Where all state lives. `DRYDOCK_HOME`, default `~/.drydock`. */
  home: string;
  /** The Python to use. `DRYDOCK_PYTHON`, default: searched on the PATH. */
  python: string | undefined;
  /** The user's own directory, `~`. */
  userHome: string;
  /** Where Python packages are installed from. `DRYDOCK_PYTHON_INDEX`, default: pip's own. */
  pythonIndex: string | null;
  /** `PATH`. */
  searchPath: string;
  /** For sockets, whose paths must be short. `TMPDIR`, default `/tmp`. */
  temporary: string;
  /** How surely an acknowledged event is on disk. `DRYDOCK_SYNCHRONOUS`: normal (default) or full. */
  synchronous: "normal" | "full";
  /** More secrets to take out of what is stored: regular expressions, one a line. `DRYDOCK_REDACT`. */
  redact: string[];
  /** Where traces of runs are sent. `OTEL_EXPORTER_OTLP_ENDPOINT`, default: nowhere. */
  telemetry: TelemetrySettings | null;
  /** The PostgreSQL database that holds the ledger. `DATABASE_URL`, default: none, the ledger is `ledger.db` in the home. */
  databaseUrl: string | null;
  /** Without what opens that database: no run and no program that Drydock starts gets to know it. */
  environment: Record<string, string | undefined>;
  /** What was left out of it, for the redactor. */
  databaseSecrets: Record<string, string | undefined>;
}

/** What `pg` reads besides the address. Without `DATABASE_URL` they belong to other programs. */
const DATABASE_VARIABLES = ["DATABASE_URL", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"];

export function readConfig(): Config {
  const { databaseUrl, environment, databaseSecrets } = readDatabaseUrl(process.env);
  return {
    home: resolve(environment.DRYDOCK_HOME || join(homedir(), ".drydock")),
    userHome: homedir(),
    python: environment.DRYDOCK_PYTHON || undefined,
    pythonIndex: environment.DRYDOCK_PYTHON_INDEX || null,
    searchPath: environment.PATH ?? "",
    temporary: tmpdir(),
    synchronous: environment.DRYDOCK_SYNCHRONOUS === "full" ? "full" : "normal",
    redact: (environment.DRYDOCK_REDACT ?? "").split("\n").filter(Boolean),
    telemetry: readTelemetrySettings(environment),
    ...{ databaseUrl, environment, databaseSecrets },
  };
}

function readDatabaseUrl(
  surroundings: Config["environment"],
): Pick<Config, "databaseUrl" | "environment" | "databaseSecrets"> {
  const databaseUrl = surroundings.DATABASE_URL?.trim() || null;
  if (databaseUrl === null) return { databaseUrl, environment: surroundings, databaseSecrets: {} };
  const entries = Object.entries(surroundings);
  const [hidden, others] = [true, false].map((isHidden) =>
    Object.fromEntries(entries.filter(([name]) => DATABASE_VARIABLES.includes(name) === isHidden)),
  );
  return { databaseUrl, environment: others ?? {}, databaseSecrets: hidden ?? {} };
}
