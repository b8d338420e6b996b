import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { readExtension } from "../format/read-extension.ts";

export const MANIFEST = `id: demo
version: 1.0.0
name: Demo
description: For tests.
permissions:
  tools: [echo]
  hosts: ["api.example.org:443"]
  secrets: [TOKEN]
`;

/** `commands.yaml` with one action of these lines. */
export function commandsOf(lines: string): string {
  const indented = lines.split("\n").map((line) => `        ${line}`);
  return `commands:
  - name: demo
    description: For tests.
    actions:
      - name: say
        description: Says it.
${indented.join("\n")}
`;
}

export const COMMANDS = commandsOf("runner: exec.echo\narguments:\n  - name: text\n    required: true");

export type Files = Record<string, string | Buffer>;

export interface Lint {
  /** A valid extension but for these files; gives its directory. */
  write(files: Files): Promise<string>;
  /** `file:line:column field: message` of everything that is wrong with it. */
  lint(files: Files): Promise<string[]>;
}

/** Extensions for the tests of a file; each is gone after its test. */
export function useLint(): Lint {
  const made: string[] = [];
  afterEach(async () => {
    for (const path of made.splice(0)) await rm(path, { recursive: true, force: true });
  });
  async function write(files: Files): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "drydock-format-"));
    made.push(directory);
    const all = { "extension.yaml": MANIFEST, "commands.yaml": COMMANDS, "docs/USAGE.md": "# /demo say\n", ...files };
    for (const [path, content] of Object.entries(all)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    }
    return directory;
  }
  return {
    write,
    async lint(files) {
      const { problems } = await readExtension(await write(files));
      return problems.map(({ file, line, column, field, message }) => `${file}:${line}:${column} ${field}: ${message}`);
    },
  };
}
