import * as z from "zod";
import { ErrorInfo } from "./errors.ts";
import { Change } from "./layer.ts";
import { PolicyDocument, SandboxBackend, SandboxLevel } from "./policy.ts";

export const Language = z.enum(["python", "node", "bash"]);
export type Language = z.infer<typeof Language>;

/** What is asked to run: code in a language, or a command with its arguments. */
export const ExecRequest = z.strictObject({
  language: Language.optional(),
  code: z.string().optional(),
  /** Shown in tracebacks and as `sys.argv[0]`. */
  filename: z.string().optional(),
  args: z.array(z.string()).optional(),
  command: z.array(z.string()).min(1).optional(),
  workspace: z.string().optional(),
  session: z.string().optional(),
  policy: PolicyDocument.optional(),
  unconfined: z.boolean().optional(),
  /** Python packages that the code finds, as in a requirements.txt: `six==1.16.0`. */
  requirements: z.array(z.string()).max(500).optional(),
  /** Whether those that are missing may be installed, where the policy allows the package index. */
  install: z.boolean().optional(),
});
export type ExecRequest = z.infer<typeof ExecRequest>;

export const ArtifactRef = z.object({
  id: z.string(),
  name: z.string(),
  mime: z.string(),
  size: z.number().int(),
  sha256: z.string(),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

export const Usage = z.object({ wallMs: z.number(), cpuMs: z.number(), peakMemoryBytes: z.number() });
export type Usage = z.infer<typeof Usage>;

export const SandboxReport = z.object({
  backend: SandboxBackend,
  level: z.union([SandboxLevel, z.literal("none")]),
});
export type SandboxReport = z.infer<typeof SandboxReport>;

export const ExecResult = z.object({
  ok: z.boolean(),
  runId: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  result: z.unknown(),
  error: ErrorInfo.nullable(),
  artifacts: z.array(ArtifactRef),
  changes: z.array(Change),
  treeHash: z.string(),
  usage: Usage,
  sandbox: SandboxReport,
  /** Things worth knowing that are no errors: a thread that a rollback can't carry, a directory that changed underneath. */
  notes: z.array(z.string()),
});
export type ExecResult = z.infer<typeof ExecResult>;
