import { createHash } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface DemoOptions {
  id?: string;
  version?: string;
  command?: string;
  aliases?: string[];
  risk?: string;
  /** Lines of `permissions`. */
  permissions?: string;
  /** Lines of `install`; `null` for none. Default: a step that puts the tool in its place. */
  install?: string | null;
  files?: Record<string, string>;
}

/** A tool that says which version it belongs to. */
export function toolOf(version: string): string {
  return `#!/bin/sh\necho "demo ${version} $1"\n`;
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A small extension that brings its tool along, and installs it by a step. */
export async function writeDemo(directory: string, options: DemoOptions = {}): Promise<string> {
  const { id = "demo", version = "1.0.0", command = id, aliases = [], risk = "low", permissions = "" } = options;
  const tool = toolOf(version);
  const step = `install:\n  - file: vendor/demo\n    sha256: ${sha256(tool)}\n    to: tools/demo\n`;
  const files: Record<string, string> = {
    "extension.yaml": `id: ${id}
version: ${version}
name: Demo
description: For tests.
permissions:
  tools: [demo]
${permissions}${options.install === undefined ? step : (options.install ?? "")}`,
    "commands.yaml": `commands:
  - name: ${command}
    aliases: [${aliases.join(", ")}]
    description: For tests.
    actions:
      - name: say
        description: Says it.
        runner: exec.demo
        risk: ${risk}
        arguments: [{ name: text }]
        args: ["{{ text }}"]
`,
    "docs/USAGE.md": `# /${command}\n`,
    "vendor/demo": tool,
    ...options.files,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  await chmod(join(directory, "vendor/demo"), 0o755);
  return directory;
}
