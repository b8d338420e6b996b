import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
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

export function writeFiles(directory: string, files: Record<string, string | Buffer>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(directory, path), text);
    chmodSync(join(directory, path), 0o644);
  }
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
