/** Where traces go. The variables are those of OpenTelemetry's specification. */
export interface TelemetrySettings {
  url: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Null where nothing names a place for traces, or something switches them off: then nothing is loaded for them. */
export function readTelemetrySettings(
  environment: Readonly<Record<string, string | undefined>>,
): TelemetrySettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = environment;
  const isOff = environment.OTEL_SDK_DISABLED === "true" || environment.OTEL_TRACES_EXPORTER === "none";
  if (isOff || (!own && !base)) return null;
  const headers = environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? environment.OTEL_EXPORTER_OTLP_HEADERS ?? "";
  const timeout = environment.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? environment.OTEL_EXPORTER_OTLP_TIMEOUT;
  const timeoutMs = Number(timeout);
  return {
    url: own || `${base?.replace(/\/+$/, "")}/v1/traces`,
    headers: Object.fromEntries(headers.split(",").flatMap(readHeader)),
    serviceName: environment.OTEL_SERVICE_NAME || "drydock",
    timeoutMs: timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS,
  };
}

/** `name=value`, the value as in an address: `api-key=a%20b`. */
function readHeader(pair: string): [string, string][] {
  const equals = pair.indexOf("=");
  if (equals < 1) return [];
  const value = pair.slice(equals + 1).trim();
  try {
    return [[pair.slice(0, equals).trim(), decodeURIComponent(value)]];
  } catch {
    return [[pair.slice(0, equals).trim(), value]];
  }
}
