import { DrydockError } from "@drydock/protocol";
import { cutStart } from "../../base/text/index.ts";
import type { Mount } from "../../sandbox/index.ts";
import { toolFailedError } from "../errors.ts";
import type { CapabilityCall, DrydockRunner, InnerResult, RunnerOutcome, RunnerPorts } from "../ports.ts";
import { fillText, makeWords } from "../router/index.ts";
import { toolOf } from "../runner-kinds.ts";
import { describeContent } from "./describe-content.ts";
import { EXTENSION_MOUNT, findTool } from "./find-tool.ts";

const TAIL_CHARS = 2000;

/** `exec.<tool>`: one program, with the words that the action's declaration makes of the values. No shell is involved. */
export const execTool: DrydockRunner = async (call, ports) => {
  const { action, extension } = call;
  const tool = toolOf(action.runner);
  if (tool === null || !extension.manifest.permissions.tools.includes(tool)) {
    throw toolNotGranted(call, tool ?? action.runner);
  }
  const { name, program, mount } = findTool(tool, extension, ports);
  const { words, stdin, mounts } = readCall(call, mount);
  const ran = await ports.exec({ command: [program, ...words], stdin, mounts, okExitCodes: action.okExitCodes });
  return toOutcome(ran, name, ran.stdout, ports);
};

/** What scripts and tools have in common: words, input, and the extension's files where they are named. */
export function readCall(call: CapabilityCall, mount: Mount | null) {
  const { action, values, input, extension } = call;
  const words = makeWords(action, values, { input: input?.text });
  const stdin = action.stdin === undefined ? undefined : fillText(action.stdin, values, { input: input?.text });
  const own: Mount = { source: extension.directory, target: EXTENSION_MOUNT };
  const mounts = mount ? [mount] : [];
  // Mounting takes longer than most tools do: only who needs the files gets them.
  if (mount?.target !== EXTENSION_MOUNT && JSON.stringify([action.args, action.stdin]).includes(EXTENSION_MOUNT)) {
    mounts.push(own);
  }
  return { words, stdin, ...(mounts.length > 0 ? { mounts } : { mounts: undefined }) };
}

export function toOutcome(
  ran: InnerResult,
  tool: string,
  content: Uint8Array,
  { redact }: Pick<RunnerPorts, "redact">,
): RunnerOutcome {
  const stderr = cutStart(redact(ran.stderr.toString()), TAIL_CHARS);
  const { code } = ran.error ?? {};
  const failed = ran.error && code === "code.exit" ? toolFailedError(tool, ran.exitCode, stderr).toInfo() : ran.error;
  return {
    ok: ran.ok,
    content,
    mime: describeContent(content),
    error: ran.ok ? null : failed,
    artifacts: ran.artifacts,
    metadata: {
      tool,
      exitCode: ran.exitCode,
      ...(stderr === "" ? {} : { stderr }),
      ...(ran.refused.length === 0 ? {} : { refused: ran.refused.map(({ host, port }) => `${host}:${port}`) }),
    },
    notes: ran.notes,
  };
}

function toolNotGranted({ action, extension }: CapabilityCall, tool: string): DrydockError {
  return new DrydockError(
    "policy.command_denied",
    `The extension ${extension.manifest.id} may not use ${tool}.`,
    "Add the tool to permissions.tools in its extension.yaml, then install the extension again and approve it.",
    { extension: extension.manifest.id, command: action.runner },
  );
}
