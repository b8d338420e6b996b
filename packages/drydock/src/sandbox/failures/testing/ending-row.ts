import { EffectivePolicy, type ErrorInfo } from "@drydock/protocol";
import type { Ending, ExceptionReport } from "../ending.ts";
import { type FailureContext, readReport } from "../index.ts";

export const policy: EffectivePolicy = EffectivePolicy.parse({
  version: 1,
  files: { access: true, write: ["src/**"], protect: [".git/**"], hide: ["**/.env"] },
  commands: { allow: [] },
  network: { allow: [] },
  environment: { allow: [] },
  python: { guard: "open", imports: { allow: [], block: [] }, calls: { block: [] } },
  limits: {
    wallSeconds: 30,
    cpuSeconds: 20,
    memoryMb: 512,
    processes: 64,
    outputMb: 8,
    diskMb: 256,
    openFiles: 128,
    concurrency: 4,
  },
  sessions: { tasks: 50, idleSeconds: 3600, live: 32 },
  sandbox: { backends: ["namespaces"], level: "rlimits" },
});

export const python: FailureContext = { language: "python", limits: policy.limits, policy, refused: [] };
export const node: FailureContext = { ...python, language: "node" };
export const bash: FailureContext = { ...python, language: "bash" };
export const refusing: FailureContext = { ...python, refused: [{ host: "example.org", port: 443 }] };
export const allowing: FailureContext = {
  ...refusing,
  policy: { ...policy, network: { allow: ["*.org:443"], upstreams: [] } },
};

export function raised(exception: Partial<ExceptionReport> & { type: string }): Ending {
  return { kind: "exited", exitCode: 1, report: readReport({ outcome: "exception", exception }) };
}

/** An ending, and what has to be said of it: the code, and parts of message and hint. */
export interface EndingRow {
  title: string;
  ending: Ending;
  context?: FailureContext;
  code: ErrorInfo["code"];
  message: string;
  hint: string;
  data?: Record<string, unknown>;
}
