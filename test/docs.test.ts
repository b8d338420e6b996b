import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  BACKEND_NAMES,
  BACKENDS,
  Check,
  ERROR_ACTOR,
  ERROR_CODES,
  EXIT_STATUS,
  HTTP_STATUS,
  KERNEL_LIMITS,
  mapLimits,
  SANDBOX_LEVELS,
} from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../packages/drydock/src/base/providers/index.ts";
import { SYSTEM_POLICY } from "../packages/drydock/src/policy/index.ts";
import { COMMANDS } from "../packages/drydock/src/surfaces/cli/commands/index.ts";
import { createProgram } from "../packages/drydock/src/surfaces/cli/create-program.ts";
import { captureTerminal } from "../packages/drydock/src/surfaces/cli/testing/capture-terminal.ts";

const root = join(import.meta.dirname, "..");
const documents = ["*.md", "docs/**/*.md", "packages/*/README.md", "demo/*/README.md"]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

function buildProgram(): Command {
  const { terminal } = captureTerminal();
  const program = createProgram("0.0.0", terminal);
  const context = { terminal, trailing: null, status: 0, early: null };
  for (const { defineCommand } of COMMANDS) defineCommand(program, context);
  return program;
}

/** The words after `drydock` in code: inline, or on a line of a block that is typed in. What is quoted or piped is cut off. */
function findCommands(text: string): string[] {
  const inline = [...text.matchAll(/(?<!`)`(?:npx )?drydock ([^`]+)`(?!`)/g)].map((match) => match[1] ?? "");
  const typed = [...text.matchAll(/^(?:[ ]{4}|\$ .*?|npx |.*?\$\()?drydock (.+)$/gm)].map((match) => match[1] ?? "");
  return [...inline, ...typed.filter((words) => /^(-|[a-z]+(\s|$))/.test(words))].map((words) =>
    words
      .replace(/'[^']*('|$)|"[^"]*("|$)/g, "QUOTED")
      .replace(/\s(\||#|-- |&&).*$|[;)].*$/s, "")
      .trim(),
  );
}

/** What the command line would say to it: the first word or option that it does not know. */
function findUnknown(program: Command, words: readonly string[]): string | null {
  let command = program;
  let isValue = false;
  for (const word of words) {
    if (isValue) {
      // What an option takes is no command.
      isValue = false;
    } else if (/^--?\w/.test(word)) {
      const known = command.options.find((option) => option.long === word || option.short === word);
      if (!known && !["--help", "-h", "--version"].includes(word)) return word;
      isValue = known?.required ?? false;
    } else if (command.commands.length > 0) {
      const next = command.commands.find((each) => each.name() === word);
      if (!next) return word;
      command = next;
    }
  }
  return null;
}

function listLeaves(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item !== "object" || Array.isArray(item) || "default" in item
      ? [`${prefix}${name}`]
      : listLeaves(item, `${prefix}${name}.`),
  );
}

describe("the documents", () => {
  const program = buildProgram();
  const named = documents.flatMap(({ path, text }) => findCommands(text).map((command) => ({ path, command })));

  it("name only commands and options that the command line has", () => {
    expect(named.length).toBeGreaterThan(60);
    const unknown = named.flatMap(({ path, command }) => {
      const word = findUnknown(program, command.split(/\s+/));
      return word === null ? [] : [`${path}: drydock ${command} (${word})`];
    });
    expect(unknown).toEqual([]);
  });

  it("name every command that the command line has", () => {
    const all = program.commands.flatMap((group) =>
      group.commands.length === 0 ? [group.name()] : group.commands.map((each) => `${group.name()} ${each.name()}`),
    );
    const missing = all.filter((name) => !named.some(({ command }) => `${command} `.startsWith(`${name} `)));
    expect(missing).toEqual([]);
  });

  it("find a command and an option that do not exist", () => {
    const [command = ""] = findCommands("```console\n$ drydock runs fly run_1 --high | less\n```");
    expect(command).toBe("runs fly run_1 --high");
    expect(findUnknown(program, command.split(" "))).toBe("fly");
    expect(findUnknown(program, ["exec", "--high"])).toBe("--high");
    expect(findCommands("run `drydock doctor` now")).toEqual(["doctor"]);
  });

  it("explain every error code, each with its statuses and who can act", () => {
    const page = readFileSync(join(root, "docs/guides/errors.md"), "utf8");
    const rows = page.matchAll(/^\| (?<exit>\d+) \| (?<http>\d+) \| (?<codes>[^|]+) \| (?<actor>\w+) \| .+ \|$/gm);
    const explained = [...rows].flatMap(({ groups: { exit, http, codes, actor } = {} }) =>
      [...(codes ?? "").matchAll(/`([\w.]+)`/g)].map(([, code]) => `${exit} ${http} ${code} ${actor}`),
    );
    const ofLimits = KERNEL_LIMITS.map(({ name }) => `limit.${name}`);
    const expected = ERROR_CODES.filter((code) => !ofLimits.includes(code)).map(
      (code) => `${EXIT_STATUS[code]} ${HTTP_STATUS[code]} ${code} ${ERROR_ACTOR[code]}`,
    );
    expect(explained.sort()).toEqual(expected.sort());
  });

  it("list every limit of a run with its numbers and its error code", () => {
    const page = readFileSync(join(root, "docs/guides/policy.md"), "utf8");
    const rows = [...page.matchAll(/^\| `limits\.(\w+)` \| (\d+) \| (\d+) \| `limit\.(\w+)` \|/gm)];
    const listed = Object.fromEntries(
      rows.map(([, key, usual, max, name]) => [key, { name, default: Number(usual), max: Number(max) }]),
    );
    expect(listed).toEqual(mapLimits((_key, { name, default: usual, max }) => ({ name, default: usual, max })));
  });

  it("list every backend with its levels, and the levels in order", () => {
    const page = readFileSync(join(root, "docs/security.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \| (none|`[^|]+`) \| .+ \|$/gm)];
    const listed = rows.map(([, name, levels = ""]) => [name, levels === "none" ? [] : levels.match(/\w+/g)]);
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(BACKEND_NAMES.map((name) => [name, [...BACKENDS[name].levels]])),
    );
    expect(page).toContain(SANDBOX_LEVELS.map((level) => `\`${level}\``).join(", "));
  });

  it("list every type of check", () => {
    const page = readFileSync(join(root, "docs/guides/verify.md"), "utf8");
    const types = Check.options.map(({ shape }) => shape.type.value);
    expect(types.filter((type) => !page.includes(`\n| \`${type}\` |`))).toEqual([]);
  });

  it("show every key of the policy", () => {
    const page = readFileSync(join(root, "docs/guides/policy.md"), "utf8");
    const keys = listLeaves(SYSTEM_POLICY).filter((key) => key !== "version");
    expect(keys).toContain("limits.wallSeconds");
    expect(keys.filter((key) => !page.includes(key))).toEqual([]);
  });

  it("name every model provider with its variables and the model that is suggested", () => {
    const page = readFileSync(join(root, "docs/guides/models.md"), "utf8");
    const words = PROVIDERS.flatMap(({ name, keyVariable, addressVariable, suggestedModel }) => [
      `\`${name}/`,
      ...[keyVariable, addressVariable, suggestedModel && `${name}/${suggestedModel}`].flatMap((word) => word ?? []),
    ]);
    expect(words).toContain("OPENAI_BASE_URL");
    expect(words.filter((word) => !page.includes(word))).toEqual([]);
  });

  it("name every MCP tool", () => {
    const page = readFileSync(join(root, "docs/guides/mcp.md"), "utf8");
    const sources = globSync("packages/drydock/src/surfaces/mcp/tools/*.ts", { cwd: root });
    const tools = sources.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/defineTool\(\{\s+name: "(\w+)"/g)].map(([, name]) => name),
    );
    expect(tools).toContain("execute_code");
    expect(tools.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it("name every group of HTTP operations", () => {
    const page = readFileSync(join(root, "docs/guides/http.md"), "utf8");
    const groups = [...new Set(Object.values(OPERATIONS).map(({ path }) => `/${path.split("/")[1]}`))];
    expect(groups).toContain("/sessions");
    expect(groups.filter((group) => !new RegExp(`${group}\\b`).test(page))).toEqual([]);
  });

  it("list every decision", () => {
    const index = readFileSync(join(root, "docs/adr/README.md"), "utf8");
    const pages = documents.map(({ path }) => path).filter((path) => /^docs\/adr\/\d/.test(path));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((path) => !index.includes(`(${path.slice("docs/adr/".length)})`))).toEqual([]);
  });
});
