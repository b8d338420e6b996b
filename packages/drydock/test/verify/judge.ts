import type { Check, EffectivePolicy } from "@drydock/protocol";
import type { Dock } from "drydock";
import type { TreeRunner } from "../../src/engine/ports.ts";
import { type JudgeTreeOptions, judgeTree } from "../../src/engine/verify/index.ts";
import { makeDirectory, readDirectoryTree } from "../../src/engine/verify/testing/directory-tree.ts";
import { resolvePolicy } from "../../src/policy/index.ts";

export type Files = Parameters<typeof makeDirectory>[0];

/** Checks are held to a list of commands, so that refusals can be seen. */
const allow = ["python3", "python", "pytest", "node", "npm test", "npm run *", "ls", "cat", "grep", "git diff *"];

export const POLICY: EffectivePolicy = resolvePolicy({ request: { commands: { allow } } }).effective;

/** The dock as the judge sees it: a run on the directory that the tree's layer names. */
export function createDockRunner(dock: Dock): TreeRunner {
  return {
    async run({ layer, timeoutSeconds, network = [], language, code, command, stdin, signal, onStdout }) {
      const work = command ? { command } : { language, code };
      const policy = { limits: { wallSeconds: timeoutSeconds }, network: { allow: network } };
      const result = await dock.exec({
        ...{ ...work, workspace: layer?.workspace ?? undefined, policy, stdin, signal },
        onOutput: ({ stream, text }) => stream === "stdout" && onStdout?.(text),
      });
      const exitCode = result.ok ? 0 : (result.error?.exitCode ?? null);
      if (!layer) throw new Error("every tree of these tests has a layer");
      return { ...result, exitCode, layer, changedUnderneath: [] };
    },
  };
}

export interface Judging extends Partial<Omit<JudgeTreeOptions, "checks" | "tree" | "before" | "runner">> {
  before?: Files;
}

/** Judges files by checks, on a real dock. */
export function judge(dock: Dock, files: Files, checks: Check[], { before, ...options }: Judging = {}) {
  return judgeTree({
    checks,
    tree: readDirectoryTree(makeDirectory(files)),
    before: before ? readDirectoryTree(makeDirectory(before)) : null,
    scope: ["**"],
    policy: POLICY,
    runner: createDockRunner(dock),
    ...options,
  });
}

/** The one result of one check. */
export async function judgeOne(dock: Dock, files: Files, check: Check, options: Judging = {}) {
  const { checks } = await judge(dock, files, [check], options);
  const [result] = checks;
  if (!result) throw new Error("a check without a result");
  return result;
}
