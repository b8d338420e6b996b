import { hash } from "node:crypto";
import { DrydockError, type ExecRequest } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import {
  loadShellCheck,
  permitsCommand,
  permitsEveryCommand,
  type ResolvedPolicy,
  withoutGuard,
} from "../../policy/index.ts";
import { resolveWorkspace, type Work } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { cutRedacted } from "../runs/record/cut-redacted.ts";
import { toKeptText } from "../runs/record/kept-content.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { ExecOptions } from "./api.ts";
import { commandDeniedError } from "./command-denied.ts";
import { readRequest, toSandboxWork } from "./read-request.ts";

const INLINE_CODE_CHARS = 64 * 1024;

/** A request that was read, and what the policy says of it. */
export interface PreparedExec {
  request: ExecRequest & { unsafe: boolean };
  work: Work;
  workspace: string | null;
  /** Undefined where the policy itself can't be had. */
  resolved: ResolvedPolicy | undefined;
  /** Why the policy does not let it run. */
  refusal: DrydockError | undefined;
}

/** Rejects for a request that can't be read. */
export async function prepareExec(
  ports: Pick<ExecPorts, "own" | "policies">,
  options: ExecOptions,
): Promise<PreparedExec> {
  const request = await readRequest(options);
  const work = toSandboxWork(request);
  const workspace = request.workspace === undefined ? null : resolveWorkspace(request.workspace, ports.own);
  let resolved: ResolvedPolicy | undefined;
  let refusal: DrydockError | undefined;
  try {
    resolved = await ports.policies.resolve({
      workspace,
      request: request.unsafe ? withoutGuard(request.policy) : request.policy,
    });
    await checkAllowed(resolved, work, request);
  } catch (error) {
    refusal = asDrydockError(error);
  }
  return { request, work, workspace, resolved, refusal };
}

/** The same list holds for a command and for each command in bash code. */
async function checkAllowed(resolved: ResolvedPolicy, work: Work, request: ExecRequest): Promise<void> {
  const { effective } = resolved;
  const { commands } = effective;
  if (request.workspace !== undefined && !effective.files.access) {
    throw new DrydockError(
      "policy.path_denied",
      "The policy gives runs no access to files (files.access: false).",
      "Run without a workspace, or set `files.access: true` in the home policy.",
    );
  }
  if (request.unconfined && !effective.sandbox.backends.includes("unconfined")) {
    throw new DrydockError(
      "sandbox.unavailable",
      "The policy does not name the backend `unconfined`.",
      "To run without a sandbox, the owner adds it: `drydock policy set sandbox.backends '[namespaces, unconfined]'`.",
    );
  }
  if (work.argv && !permitsCommand(commands, work.argv))
    throw commandDeniedError({ argv: work.argv, commands }, resolved);
  if (work.language !== "bash" || permitsEveryCommand(commands)) return;
  const { checkShell } = await loadShellCheck();
  const checked = checkShell(commands, work.code);
  if (!checked.ok) throw commandDeniedError({ ...checked, commands }, resolved);
}

/** `longCode` is what the record can't hold inline. Code with a secret in it is not kept anywhere. */
export function describeRequest(ledger: Ledger, request: ExecRequest, work: Work) {
  const { policy: _policy, code: _code, ...rest } = request;
  const described = { ...rest, language: work.language };
  if (work.argv) return { request: described };
  const codeChars = work.code.length;
  if (codeChars <= INLINE_CODE_CHARS) return { request: { ...described, code: work.code, codeChars } };
  const code = `${cutRedacted(ledger, work.code, INLINE_CODE_CHARS)}…`;
  const longCode = toKeptText(ledger, work.code);
  const codeSha256 = longCode && hash("sha256", longCode);
  return { request: { ...described, code, codeChars, ...(codeSha256 && { codeSha256 }) }, longCode };
}
