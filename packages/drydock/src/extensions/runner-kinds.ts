import { type BuiltInRunner, type CommandAction, ToolName } from "@drydock/protocol";
import type { DrydockRunner } from "./ports.ts";

/** The fields of an action that are for its runner alone. */
export const RUNNER_FIELDS = ["args", "stdin", "script", "request"] as const satisfies (keyof CommandAction)[];
export type RunnerField = (typeof RUNNER_FIELDS)[number];

/** Everything that Drydock knows about one of its own runners. What a program registers has none of this. */
export interface RunnerKind {
  load(): Promise<DrydockRunner>;
  /** Which fields of an action it reads. With `args` it makes words of a command line from the values. */
  fields: readonly RunnerField[];
  /** `declared`: it starts what the extension's permissions name. `own`: a program of Drydock's. */
  programs: "declared" | "own";
  /** True: it looks at the session's last response, with a model and the extension's documentation. */
  isAnalysis: boolean;
}

const RUNNER_KINDS: { readonly [Name in BuiltInRunner]: RunnerKind } = {
  "exec.<tool>": {
    load: async () => (await import("./runners/exec-tool.ts")).execTool,
    fields: ["args", "stdin"],
    programs: "declared",
    isAnalysis: false,
  },
  "api.call": {
    load: async () => (await import("./runners/api-call.ts")).apiCall,
    fields: ["request"],
    programs: "own",
    isAnalysis: false,
  },
  "python.script": {
    load: async () => (await import("./runners/script.ts")).pythonScript,
    fields: ["args", "stdin", "script"],
    programs: "own",
    isAnalysis: false,
  },
  "node.script": {
    load: async () => (await import("./runners/script.ts")).nodeScript,
    fields: ["args", "stdin", "script"],
    programs: "own",
    isAnalysis: false,
  },
  "browser.navigate": {
    load: async () => (await import("./runners/browser/navigate.ts")).navigate,
    fields: [],
    programs: "own",
    isAnalysis: false,
  },
  "analyze.response": {
    load: async () => (await import("./runners/analyze/index.ts")).analyzeResponse,
    fields: [],
    programs: "own",
    isAnalysis: true,
  },
  "analyze.schema": {
    load: async () => (await import("./runners/analyze/index.ts")).analyzeSchema,
    fields: [],
    programs: "own",
    isAnalysis: true,
  },
};

const TOOLS = "exec.";

/** Null for a runner that does not come with Drydock. */
export function findRunnerKind(runner: string): RunnerKind | null {
  if (toolOf(runner) !== null) return RUNNER_KINDS["exec.<tool>"];
  return Object.hasOwn(RUNNER_KINDS, runner) ? RUNNER_KINDS[runner as BuiltInRunner] : null;
}

/** Of `exec.<tool>`: what it names, which may carry a suffix that the program itself does not have. Null of all others. */
export function toolOf(runner: string): string | null {
  if (!runner.startsWith(TOOLS)) return null;
  const name = ToolName.safeParse(runner.slice(TOOLS.length));
  return name.success ? name.data : null;
}
