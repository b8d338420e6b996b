import { ExtensionCommands } from "@drydock/protocol";
import type { EnabledCommand } from "../../install/types.ts";

/** Commands with everything that a declaration can hold. */
export const SAMPLE: readonly EnabledCommand[] = declare("sample", [
  {
    name: "curl",
    aliases: ["fetch"],
    description: "Fetches addresses. As curl does.",
    default: "get",
    actions: [
      {
        name: "get",
        description: "Fetches one address.",
        runner: "exec.curl",
        arguments: [{ name: "url", type: "url", required: true, description: "What to fetch." }],
        flags: [
          { name: "header", short: "H", repeat: true, description: "A header, as in 'A: b'." },
          { name: "timeout", short: "t", type: "integer", min: 1, max: 60, default: 10 },
          { name: "raw", short: "r", type: "boolean" },
          { name: "follow", short: "f", type: "boolean", default: true },
          { name: "format", choices: ["text", "json", "two words"] },
          { name: "out", type: "path", short: "o" },
        ],
        args: [
          "--silent",
          { when: "follow", words: ["--location"] },
          "--max-time",
          "{{ timeout }}",
          { each: "header", words: ["--header", "{{ value }}"] },
          { when: "format", is: "json", words: ["--json-only"] },
          { when: "out", words: ["--output={{ out }}"] },
          "--",
          "{{ url }}",
        ],
        examples: ["/curl get https://example.org"],
      },
      {
        name: "post",
        description: "Sends JSON.",
        runner: "exec.curl",
        risk: "medium",
        arguments: [{ name: "url", type: "url", required: true }],
        flags: [{ name: "body", type: "json", required: true }],
        args: ["{{ url }}", "{{ body }}"],
      },
    ],
  },
  {
    name: "echo",
    description: "Says it again.",
    actions: [
      {
        name: "say",
        description: "Prints its words.",
        runner: "exec.echo",
        arguments: [{ name: "words", repeat: true }],
        flags: [{ name: "prefix", default: "" }],
        args: ["{{ words }}"],
      },
    ],
  },
  {
    name: "show",
    description: "Prints one text.",
    actions: [
      {
        name: "text",
        description: "After an end of options.",
        runner: "exec.printf",
        arguments: [{ name: "text", required: true }],
        args: ["--", "{{ text }}"],
      },
      {
        name: "free",
        description: "Text that may begin with a dash.",
        runner: "exec.printf",
        arguments: [
          { name: "text", required: true, dash: true },
          { name: "count", type: "integer", dash: true },
        ],
        args: ["{{ text }}", "{{ count }}"],
      },
      {
        name: "plain",
        description: "No words declared.",
        runner: "exec.printf",
        arguments: [{ name: "file", type: "path" }],
        flags: [
          { name: "level", type: "number" },
          { name: "tag", repeat: true },
          { name: "all", type: "boolean" },
        ],
      },
      {
        name: "call",
        description: "No command line.",
        runner: "api.call",
        arguments: [{ name: "text" }],
        request: { url: "https://example.org/" },
      },
    ],
  },
]);

export function declare(extension: string, commands: unknown[]): EnabledCommand[] {
  return ExtensionCommands.parse({ commands }).commands.map((command) => ({ extension, command }));
}

/** The action of that name; there must be one. */
export function actionOf(command: string, action: string) {
  const found = SAMPLE.find((each) => each.command.name === command)?.command.actions.find(
    ({ name }) => name === action,
  );
  if (!found) throw new Error(`There is no /${command} ${action}.`);
  return found;
}
