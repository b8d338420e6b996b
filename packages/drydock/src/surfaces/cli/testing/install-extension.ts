import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock } from "../../../app/index.ts";

const FILES = {
  "extension.yaml": `id: parrot
version: 1.0.0
name: Parrot
description: Says things again.
permissions: { tools: [echo, sh] }
`,
  "commands.yaml": `commands:
  - name: parrot
    aliases: [polly]
    description: Says things again. For tests.
    default: say
    actions:
      - name: say
        description: Says its words.
        runner: exec.echo
        arguments: [{ name: words, repeat: true, description: What to say. }]
        flags: [{ name: tone, choices: [loud, low], description: How to say it. }]
        args: ["{{ words }}", { when: tone, words: ["({{ tone }})"] }]
      - name: shout
        description: Says one thing, if somebody agrees.
        runner: exec.echo
        risk: high
        arguments: [{ name: text, required: true, dash: true }]
        args: ["{{ text }}"]
      - name: fail
        description: Fails.
        runner: exec.sh
        args: ["-c", "echo begun; echo why >&2; exit 3"]
      - name: escape
        description: Tries to drive the terminal.
        runner: exec.sh
        args: ["-c", "printf '\\\\033]0;owned\\\\007\\\\033[31mred\\\\033[0m'"]
      - name: wait
        description: Waits for long.
        runner: exec.sh
        args: ["-c", "echo begun; exec sleep 60"]
`,
  "docs/USAGE.md": "# Parrot\n\n`/parrot say WORDS` says them again.\n",
};

/** An extension whose commands say things again, installed in a home. */
export async function installParrot(home: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "drydock-parrot-"));
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  const dock = await createDock({ home, warm: 0 });
  try {
    await dock.extensions.add(directory, { approve: async () => true });
  } finally {
    await dock.close();
    await rm(directory, { recursive: true });
  }
}
