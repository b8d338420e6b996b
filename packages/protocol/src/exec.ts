import * as z from "zod";
import { ErrorInfo } from "./errors/errors.ts";
import { Change } from "./layer.ts";
import { PolicyDocument, SandboxBackend, SandboxLevel } from "./policy.ts";

export const Language = z.enum(["python", "node", "bash"]);
export type Language = z.infer<typeof Language>;

/** What to run: code in a language, or a command with its arguments. */
export const ExecRequest = z.strictObject({
  language: Language.optional().describe("The language of `code`. Default: python."),
  code: z.string().optional().describe("The program's text. Give either `code` or `command`."),
  filename: z.string().optional().describe("Name of the code in tracebacks and as `sys.argv[0]`, such as `report.py`."),
  args: z
    .array(z.string())
    .optional()
    .describe("Arguments of the code: `sys.argv[1:]`, `process.argv.slice(2)`, `$1`…"),
  command: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('A program and its arguments, without a shell: `["pytest", "-q"]`. Give either `code` or `command`.'),
  workspace: z
    .string()
    .optional()
    .describe(
      "A directory that the run works in. It is never changed: changes stay in the run's layer. Default: an empty directory.",
    ),
  session: z
    .string()
    .optional()
    .describe("Id of an open session (`sessionId`) in which the code runs as the next step."),
  policy: PolicyDocument.optional().describe(
    "Narrows the policy for this request, or asks for more up to its ceiling.",
  ),
  unconfined: z
    .boolean()
    .optional()
    .describe("True: run without a sandbox, where the owner's policy lists the `unconfined` backend. Default: false."),
  requirements: z
    .array(z.string())
    .max(500)
    .optional()
    .describe('Python packages that the code needs, as in a requirements.txt: `["six==1.16.0"]`. At most 500.'),
  install: z
    .boolean()
    .optional()
    .describe("True: install missing `requirements`, where the policy allows the package index. Default: false."),
});
export type ExecRequest = z.infer<typeof ExecRequest>;

export const ArtifactRef = z.object({
  id: z.string().describe("Id of the artifact, `art_…`. `GET /artifacts/{id}` gives its bytes."),
  name: z.string().describe("The file's path inside the run's directory."),
  mime: z.string().describe("Media type by content and name, such as `image/png`."),
  size: z.number().int().describe("Size in bytes."),
  sha256: z.string().describe("SHA-256 of the content, 64 hexadecimal digits."),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

export const Usage = z.object({
  wallMs: z.number().describe("Time by the clock, in milliseconds."),
  cpuMs: z.number().describe("CPU time of all processes of the run, in milliseconds."),
  peakMemoryBytes: z.number().describe("The most memory that the run used at once, in bytes."),
});
export type Usage = z.infer<typeof Usage>;

export const SandboxReport = z.object({
  backend: SandboxBackend.describe("How the run was isolated. `unconfined`: it was not."),
  level: z
    .union([SandboxLevel, z.literal("none")])
    .describe("How limits were enforced: `cgroups` is the strongest, `none` means without a sandbox."),
  reused: z
    .boolean()
    .optional()
    .describe("True if earlier runs under the same policy had the same sandbox, and left it untouched."),
});
export type SandboxReport = z.infer<typeof SandboxReport>;

export const ExecResult = z.object({
  ok: z.boolean().describe("True if the code ended without an error."),
  runId: z.string().describe("Id of the run in the ledger, `run_…`. Everything under `/runs/{id}` takes it."),
  stdout: z.string().describe("What the program wrote to standard output. Bytes that are not UTF-8 become U+FFFD."),
  stderr: z.string().describe("What the program wrote to standard error."),
  result: z
    .unknown()
    .describe(
      "The variable `result`, else the value of the last expression. A value that JSON lacks is `{ type, repr }`.",
    ),
  error: ErrorInfo.nullable().describe("Why it failed; null if it did not."),
  artifacts: z.array(ArtifactRef).describe("Files that the code made, and pictures that it showed."),
  changes: z
    .array(Change)
    .describe("Files that the run changed. The workspace itself is unchanged until they are applied."),
  treeHash: z.string().describe("Hash of the directory after the run: the same files give the same hash."),
  usage: Usage.describe("Time and memory that the run took."),
  sandbox: SandboxReport.describe("How the run was isolated."),
  notes: z
    .array(z.string())
    .describe("Remarks that are not errors. One is that a file changed in the workspace during the run."),
});
export type ExecResult = z.infer<typeof ExecResult>;
