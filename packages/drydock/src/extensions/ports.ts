import type {
  ArtifactRef,
  CommandAction,
  EffectivePolicy,
  ErrorInfo,
  ExtensionManifest,
  Language,
  ParameterValue,
  ResponseInfo,
  Usage,
} from "@drydock/protocol";
import type { Mount } from "../sandbox/index.ts";

/** One program, as a part of a capability's run. It gets what is named here, of that what was granted, and nothing else. */
export interface InnerRun {
  language?: Language;
  code?: string;
  filename?: string;
  args?: readonly string[];
  command?: readonly string[];
  stdin?: string | Uint8Array;
  /** Beside what the extension's permissions let through. */
  environment?: Record<string, string>;
  /** Fewer hosts than were granted. */
  network?: readonly string[];
  mounts?: readonly Mount[];
  /** The least that it needs where the default is lower. The policy's ceilings still hold. */
  limits?: Partial<Pick<EffectivePolicy["limits"], "memoryMb" | "processes" | "openFiles">>;
  /** Exit statuses that are no failure. */
  okExitCodes?: readonly number[];
  /** What it prints is for the runner, and not passed on as it comes. */
  quiet?: boolean;
}

export interface InnerResult {
  ok: boolean;
  stdout: Buffer;
  stderr: Buffer;
  /** Of Python code: the value of `result`, or of the last expression. */
  result: unknown;
  exitCode: number | null;
  error: ErrorInfo | null;
  /** Files that it wrote, pictures that it drew. */
  artifacts: ArtifactRef[];
  refused: { host: string; port: number; reason: string }[];
  usage: Usage;
  notes: string[];
}

/** An extension as runners see it. */
export interface ExtensionView {
  manifest: ExtensionManifest;
  /** Where its files lie on the host. */
  directory: string;
  /** `docs/USAGE.md`. */
  usage: string;
}

/** A response that a capability can work on: the one piped in, else the session's last. */
export interface InputResponse {
  info: ResponseInfo;
  text: string;
}

/** One action with its values, which have their types and defaults and fit their declaration. */
export interface CapabilityCall {
  extension: ExtensionView;
  command: string;
  action: CommandAction;
  values: Readonly<Record<string, ParameterValue>>;
  input: InputResponse | null;
  session: string;
  user: string;
  signal: AbortSignal;
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

/** What a runner may use. */
export interface RunnerPorts {
  /** The one door. */
  exec(run: InnerRun): Promise<InnerResult>;
  /** A secret that the extension's permissions name; it is redacted from whatever is stored from then on. */
  readSecret(name: string): Promise<string>;
  /** Another form of a secret, redacted from then on as well. */
  learn(value: string): void;
  /** Text without secrets. What is to be cut goes through here first: nothing recognises a part of one. */
  redact(text: string): string;
  storeArtifact(content: Uint8Array, name: string, mime: string): Promise<ArtifactRef>;
  /** Where tools of the home lie, first one first. */
  toolDirectories: readonly string[];
  /** `PATH`. */
  searchPath: string;
  /** Asks the configured model, on record; null where there is none. */
  askModel: ((request: { system: string; prompt: string }) => Promise<string>) | null;
  /** Every action that may be called, as `/command action`: what a model's advice is held against. */
  declared(): Promise<readonly string[]>;
  /** Why a line such as `/curl get …` could not be called: by the router, and by the hosts it names; null where it could. */
  refusal(line: string): Promise<string | null>;
  /** A JSON text against a JSON Schema, in a thread that can be ended: both can be anybody's. Nothing is fetched. */
  validateJson(request: { schema: string; instance: string }, signal?: AbortSignal): Promise<SchemaFinding>;
}

export type SchemaFinding =
  | { kind: "valid" }
  /** By JSON pointers into the instance and the schema; `count` is of all, `problems` the first. */
  | { kind: "mismatched"; problems: { instance: string; keyword: string }[]; count: number }
  | { kind: "no_json" | "bad_schema" | "stopped"; reason: string }
  | { kind: "unresolved"; uri: string };

/** What came of it. A tool that failed is a result, too. */
export interface RunnerOutcome {
  ok: boolean;
  content: Uint8Array;
  mime: string;
  error: ErrorInfo | null;
  artifacts: ArtifactRef[];
  metadata: Record<string, unknown>;
  notes: string[];
}

/** Text that a runner returns is its output, and means that all went well. */
export type CapabilityRunner = (call: CapabilityCall, ports: RunnerPorts) => Promise<RunnerOutcome | string>;

/** One that comes with Drydock. */
export type DrydockRunner = (call: CapabilityCall, ports: RunnerPorts) => Promise<RunnerOutcome>;
