import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import { writeFiles } from "../../../base/testing/write-files.ts";
import { createPathRules } from "../../../policy/index.ts";
import { makeWorkspace } from "../../layers/testing/layers.ts";
import { openWorkbench } from "../open-workbench.ts";
import type { TreeContents, TreeRules, Workbench } from "../worktree.ts";

export const HIDE = ["**/.env", "secrets/**"];

export function rulesFor(write: string[], hide = HIDE): TreeRules {
  const files = { access: true, write, protect: [".git/**", ".drydock/**", "locked/**"], hide };
  return { ...createPathRules({ files }), scope: write };
}

export function keepInMemory(): TreeContents & { readonly held: Map<string, Buffer> } {
  const held = new Map<string, Buffer>();
  return {
    held,
    async read(sha256) {
      const bytes = held.get(sha256);
      if (!bytes) throw new Error(`no content ${sha256}`);
      return bytes;
    },
    async put(bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      held.set(sha256, Buffer.from(bytes));
      return { sha256, size: bytes.length };
    },
  };
}

export async function openBench(
  files: Record<string, string>,
  write = ["**"],
): Promise<{ workbench: Workbench; workspace: string; contents: ReturnType<typeof keepInMemory> }> {
  const workspace = makeWorkspace();
  writeFiles(workspace, files);
  const contents = keepInMemory();
  const workbench = await openWorkbench({ workspace, rules: rulesFor(write), contents });
  onTestFinished(() => workbench.close());
  return { workbench, workspace, contents };
}

export const text = (content: string) => Buffer.from(content);
