import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DrydockError, ExtensionId, RESERVED_WORDS } from "@drydock/protocol";

/** Writes an extension to start from: it is valid, can be added, and works at once. Gives its directory. */
export async function scaffoldExtension(name: string, parent = "."): Promise<string> {
  const id = ExtensionId.safeParse(name);
  if (!id.success) {
    const hint = "Use lower-case letters and digits, with . or - between words, such as my-tools.";
    throw new DrydockError("input.invalid", `${JSON.stringify(name)} is not an id for an extension.`, hint, { name });
  }
  const command = id.data.replaceAll(".", "-").slice(0, 48);
  if (RESERVED_WORDS.includes(command)) {
    const hint = "Choose another name.";
    throw new DrydockError("input.invalid", `/${command} belongs to Drydock itself.`, hint, { name });
  }
  const directory = resolve(parent, id.data);
  await mkdir(dirname(directory), { recursive: true });
  try {
    await mkdir(directory);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const hint = "Choose another name or another directory (--dir); nothing is overwritten.";
    throw new DrydockError("input.invalid", `${directory} is there already.`, hint, { directory }, error);
  }
  for (const [path, text] of Object.entries(writeParts(id.data, command))) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
  return directory;
}

function writeParts(id: string, command: string): Record<string, string> {
  return {
    "extension.yaml": manifestOf(id),
    "commands.yaml": commandsOf(command),
    "docs/USAGE.md": usageOf(command),
    "scripts/count.py": SCRIPT,
  };
}

const manifestOf = (id: string) => `# What the extension is, and all that its commands may ever use.
id: ${id}
version: 0.1.0
name: ${id}
description: Greets, and counts words. Replace this with what your extension is for.

permissions:
  # Programs that exec.<tool> may start. Whoever installs the extension is shown this list.
  tools: [echo]
  # Hosts that may be reached, such as api.example.org:443; \`policy\` means: those that the owner's policy allows.
  hosts: []
  # Variables of the environment that are passed on, and names in the owner's secret store.
  environment: []
  secrets: []
  # Files of the user's workspace, as globs. Nothing is changed unless \`write\` names it.
  paths:
    read: []
    write: []
`;

const commandsOf = (command: string) => `# What can be called: /${command} ACTION …
commands:
  - name: ${command}
    description: Greets, and counts words.
    default: hello
    actions:
      - name: hello
        description: Says hello.
        # exec.<tool> starts a program; each entry of \`args\` is exactly one word of its command line.
        runner: exec.echo
        risk: low
        arguments:
          - name: who
            description: Who is greeted.
            default: world
        args: ["Hello, {{ who }}!"]
        examples:
          - /${command} hello
          - /${command} hello "dear reader"

      - name: count
        description: Counts the words of the response that is piped in, or else of the last one.
        # A file of the extension, run in the sandbox; \`stdin\` is what it reads, {{ input }} that response.
        runner: python.script
        script: scripts/count.py
        risk: low
        timeoutSeconds: 30
        flags:
          - name: longest
            short: n
            type: integer
            min: 0
            max: 100
            default: 3
            description: How many of the longest words are shown.
        args: ["{{ longest }}"]
        stdin: "{{ input }}"
        examples:
          - /${command} hello "dear reader" | /${command} count --longest 1
`;

const usageOf = (command: string) => `# ${command}

Say here what the extension is for, when to use which command, and what comes back. People read this document, and so do
models that analyse what the commands gave: write what they need to know, and nothing that they should not do.

## /${command} hello [who]

Says hello. \`/${command} hello "dear reader"\` answers \`Hello, dear reader!\`

## /${command} count [--longest N]

Counts the words of the response that is piped in, or else of the last one. It answers with JSON: \`words\` (how many),
\`different\` (how many different ones) and \`longest\` (the N longest, 3 if N is not given).

    /${command} hello "dear reader" | /${command} count --longest 1
`;

const SCRIPT = `"""Counts the words of what comes in."""
import json
import sys

longest = int(sys.argv[1])
words = [word.strip(".,;:!?").lower() for word in sys.stdin.read().split()]
different = sorted(set(words), key=lambda word: (-len(word), word))
print(json.dumps({"words": len(words), "different": len(different), "longest": different[:longest]}))
`;
