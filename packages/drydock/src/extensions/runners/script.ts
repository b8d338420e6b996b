import { lstat, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { unsafePathError } from "../errors.ts";
import type { CapabilityCall, DrydockRunner, InnerResult } from "../ports.ts";
import { readCall, toOutcome } from "./exec-tool.ts";
import { EXTENSION_MOUNT } from "./find-tool.ts";

const MAX_SCRIPT_BYTES = 4 * 1024 * 1024;

/** `python.script`: in an interpreter that is warm already. What it prints is the response, else the value it ends with. */
export const pythonScript: DrydockRunner = async (call, ports) => {
  const { path, inner } = await findScript(call);
  const { words, stdin, mounts } = readCall(call, mountOf(call));
  const code = (await readFile(path)).toString();
  const options = { stdin, mounts, okExitCodes: call.action.okExitCodes };
  const ran = await ports.exec({ language: "python", code, filename: inner, args: words, ...options });
  return toOutcome(ran, inner.slice(EXTENSION_MOUNT.length + 1), contentOf(ran), ports);
};

/** `node.script`: as a program of its own, so that modules find what lies beside them. */
export const nodeScript: DrydockRunner = async (call, ports) => {
  const { inner } = await findScript(call);
  const { words, stdin, mounts } = readCall(call, mountOf(call));
  const options = { stdin, mounts, okExitCodes: call.action.okExitCodes };
  const ran = await ports.exec({ command: ["node", inner, ...words], ...options });
  return toOutcome(ran, inner.slice(EXTENSION_MOUNT.length + 1), ran.stdout, ports);
};

function contentOf({ stdout, result }: InnerResult): Buffer {
  if (stdout.length > 0 || result === null || result === undefined) return stdout;
  return Buffer.from(typeof result === "string" ? result : JSON.stringify(result, null, 2));
}

function mountOf({ extension }: CapabilityCall) {
  return { source: extension.directory, target: EXTENSION_MOUNT };
}

async function findScript({ action, extension }: CapabilityCall): Promise<{ path: string; inner: string }> {
  const { script } = action;
  if (script === undefined) throw missing(extension.manifest.id, `the action ${action.name} names no script`);
  const path = join(extension.directory, script);
  const found = await lstat(path).catch(() => null);
  if (!found) throw missing(extension.manifest.id, `its script ${script} is not there`);
  const real = await realpath(path);
  if (!real.startsWith(`${await realpath(extension.directory)}${sep}`)) {
    throw unsafePathError("The script", script, "it leads out of the extension's folder");
  }
  if (found.size > MAX_SCRIPT_BYTES) throw missing(extension.manifest.id, `its script ${script} is over 4 MB`);
  return { path: real, inner: `${EXTENSION_MOUNT}/${script}` };
}

function missing(extension: string, problem: string): DrydockError {
  const hint = `Install it again with \`drydock ext update ${extension}\`, or tell its author.`;
  return new DrydockError("extension.invalid", `The extension ${extension} can't do this: ${problem}.`, hint, {
    extension,
  });
}
