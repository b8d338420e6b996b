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
  environment: Record<string, string | undefined>;
}

export function readConfig(): Config {
  const environment = process.env;
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
    environment,
  };
}
