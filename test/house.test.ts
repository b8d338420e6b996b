import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { findTestOnly, isForTests } from "./boundaries/find-test-only.ts";
import { readTree } from "./boundaries/read-tree.ts";

const MOST_FILES = 25;
const MOST_LINES = 80;

const root = join(import.meta.dirname, "..");
const sources = readTree(root).filter(({ path }) => path.startsWith("packages/drydock/src/"));
const product = sources.filter(({ path }) => !isForTests(path));
const scripts = readdirSync(join(root, "packages/drydock/src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(py|[cm]?js|sh)$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const build = readFileSync(join(root, "scripts/build.mjs"), "utf8");
const named = (pattern: RegExp) => [...build.matchAll(pattern)].map(([, path]) => `packages/drydock/${path}`);
/** The programs that the build makes. */
const entries = named(/"(src\/[^"]+\.ts)"/g);
/** Folders of scripts in other languages that the product starts. */
const started = named(/^ {2}"(src\/[^".]+)",$/gm);

/**
 * Functions over 80 lines, each with the reason. Nearly all are factories: closures over one state, whose parts are short
 * functions inside of it.
 */
const LONG_FUNCTIONS: Record<string, string> = {
  "app/host/harness/agent-talk.ts createAgentTalk": "a factory: what is said between one runner and its agent",
  "app/boxes/box-link.ts createBoxLink": "a factory: one conversation with the program in a box",
  "app/boxes/box-servers.ts createBoxServers": "a factory: the MCP servers of one box",
  "app/boxes/create-boxes.ts createBoxes": "a factory: the boxes of one dock",
  "app/skills/skill-store.ts createSkillStore": "a factory: the skills of one home",
  "app/extensions/run-call.ts runCall": "one call from its request to its record",
  "app/sessions/create-session.ts createSession": "a factory: steps and rollback of one session",
  "packages/web/src/data/chat.ts createChat": "a factory: one conversation while pages show it",
  "packages/web/src/data/notebook/notebook.ts createNotebook": "a factory: the cells of one session and their runs",
  "packages/web/src/data/run-feed.ts createRunFeed": "a factory: the events of one run while a page shows them",
  "engine/deliver/delivery-target.ts openDeliveryTarget": "a factory: the directories that a delivery holds open",
  "engine/verify/judge-tree.ts judgeRound": "a factory: the checks of one round share their runs",
  "engine/verify/witness/witness-hooks/report_pytest.py _make_plugin": "a factory: one plugin of pytest",
  "engine/verify/proof/sides/name-origins.ts createOrigins": "a factory: one table of who asked for what",
  "extensions/control/create-queue.ts createQueue": "a factory: one queue",
  "host/sources/serve-sources.ts serveSources": "a factory: the sources of one server",
  "host/control/controlled-run.ts createControlled": "a factory: one run that is carried out from outside",
  "host/create-host.ts createHost": "a factory: one host",
  "host/processes/plugin-process.ts startPluginProcess": "a factory: one process and its runs",
  "host/processes/supervisor.ts createSupervisor": "a factory: the processes of one host",
  "host/results/read-results.ts createResultReader": "a factory: one state machine over the results of a run",
  "ledger/content/local-contents.ts createLocalContents": "a factory: one directory of contents",
  "ledger/database/migrations/0001-initial.ts": "the tables of the first version",
  "policy/shell/check-shell.ts createChecker": "a factory: one visitor of the syntax tree",
  "sandbox/layers/workspace-index.ts createWorkspaceIndex": "a factory: one index",
  "sandbox/members/fleet.ts createFleet": "a factory: the fork servers of one dock",
  "sandbox/members/pool.ts createPool": "a factory: one pool",
  "app/wraps/attend-wrap.ts attendWrap": "a factory: what goes on beside one wrapped program",
  "surfaces/cli/wrap/open-screen.ts openScreen": "a factory: one terminal, and how it is left",
  "surfaces/cli/wrap/screen/screen-filter.ts createScreenFilter": "a factory: one state machine over bytes",
  "sandbox/session/live-session.ts createLiveSession": "a factory: one live interpreter",
  "sandbox/view/view.ts createViews": "a factory: the views of one dock",
  "sandbox/worktree/open-workbench.ts openWorkbench": "a factory: one workbench",
  "surfaces/cli/completion/zsh-script.ts writeZshScript": "one script, as text",
  "surfaces/jupyter/jupyter-kernel/look.py _drydock_look": "one name in the user's session, its parts inside of it",
  "surfaces/jupyter/kernel.ts createKernel": "a factory: one kernel",
  "surfaces/repl/line-editor.ts openLineEditor": "a factory: one reader of lines",
  "surfaces/mcp/tools/host.ts createHostTools": "descriptions of three tools",
  "surfaces/mcp/tools/sessions.ts createSessionTools": "descriptions of five tools",
  "tasks/agents/notation/parse-value.ts createReader": "a factory: one position in a text",
  "tasks/mcp-tools/sandbox-transport.ts createSandboxTransport": "a factory: one connection",
};

describe("the house", () => {
  it("has no crowded room", () => {
    const all = readTree(root).filter(({ path }) => !isForTests(path));
    const rooms = Map.groupBy(all, ({ path }) => posix.dirname(path));
    const crowded = [...rooms].filter(([, files]) => files.length > MOST_FILES).map(([room]) => room);
    expect(crowded).toEqual([]);
    const inApp = product.filter(({ path }) => posix.dirname(path) === "packages/drydock/src/app");
    expect(inApp.length).toBeLessThanOrEqual(6);
  });

  it("has short files", () => {
    const lengths = product.map(({ text }) => text.split("\n").length).sort((a, b) => a - b);
    expect(lengths[lengths.length >> 1]).toBeLessThanOrEqual(100);
    expect(lengths.at(-1)).toBeLessThanOrEqual(300);
  });

  it("has long functions only for a reason", () => {
    const inTypeScript = readTree(root)
      .filter(({ path }) => !isForTests(path))
      .flatMap(({ path, text }) => findLong(path, text));
    const inPython = scripts
      .filter((path) => path.endsWith(".py") && !isForTests(path))
      .flatMap((path) => findLongPython(path, readFileSync(join(root, path), "utf8")));
    expect([...inTypeScript, ...inPython].sort()).toEqual(Object.keys(LONG_FUNCTIONS).sort());
  });

  it("keeps what only tests need in folders testing/", () => {
    expect(entries.length).toBeGreaterThan(5);
    expect(findTestOnly(sources, entries)).toEqual([]);
  });

  it("keeps scripts that only tests start there, too", () => {
    expect(started).toContain("packages/drydock/src/sandbox/kernel");
    expect(findStray(scripts)).toEqual([]);
    expect(findStray(["packages/drydock/src/ledger/ledger-driver.py"])).toHaveLength(1);
  });

  const planted: [name: string, path: string, importer: string][] = [
    ["a fixture beside the product", "ledger/ledger.fixture.ts", "ledger/ledger.test.ts"],
    ["a fixture that only another fixture needs", "ledger/rows.ts", "ledger/testing/open-test-ledger.ts"],
    ["a room without product code", "sandbox/guard/run-python.ts", "sandbox/guard/guard.test.ts"],
  ];
  it.each(planted)("finds %s", (_name, path, importer) => {
    const [from, to] = [importer, path].map((each) => `packages/drydock/src/${each}`) as [string, string];
    const text = `import { x } from "./${posix.relative(posix.dirname(from), to)}";`;
    const files = [
      { path: "packages/drydock/src/index.ts", text: 'import "./used.ts";' },
      { path: "packages/drydock/src/used.ts", text: "export {};" },
      { path: from, text },
      { path: to, text: "export const x = 1;" },
    ];
    expect(findTestOnly(files, ["packages/drydock/src/index.ts"])).toEqual([
      expect.stringMatching(`^${to}: only tests`),
    ]);
  });

  it("finds a function that is too long", () => {
    const lines = "  a();\n".repeat(MOST_LINES);
    expect(findLong("packages/drydock/src/x.ts", `function long() {\n${lines}}`)).toEqual(["x.ts long"]);
    const python = `class A:\n  def long(self):\n${"    a()\n\n".repeat(MOST_LINES / 2 + 1)}\n  def short(self):\n    pass\n`;
    expect(findLongPython("packages/drydock/src/x.py", python)).toEqual(["x.py long"]);
    expect(findLongPython("packages/drydock/src/x.py", python.replace("    a()\n\n", ""))).toEqual([]);
  });
});

function findStray(scripts: readonly string[]): string[] {
  return scripts.filter((path) => !isForTests(path) && !started.some((folder) => path.startsWith(`${folder}/`)));
}

function findLong(path: string, text: string): string[] {
  const found: string[] = [];
  const measure = (node: { start: number; end: number; id?: { name: string } | null }) => {
    const lines = text.slice(node.start, node.end).split("\n").length;
    const place = path.replace("packages/drydock/src/", "");
    if (lines > MOST_LINES) found.push(`${place} ${node.id?.name ?? ""}`.trim());
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(path, text).program);
  return found;
}

/** From the line of a `def` to the last line that is indented below it. */
function findLongPython(path: string, text: string): string[] {
  const lines = text.split("\n");
  const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
  return lines.flatMap((line, start) => {
    const name = /^ *(?:async )?def (\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const isAfter = (each: string) => each !== "" && !/^ *\)/.test(each) && indentOf(each) <= indentOf(line);
    const next = lines.findIndex((each, index) => index > start && isAfter(each));
    const body = lines
      .slice(start, next < 0 ? undefined : next)
      .join("\n")
      .trimEnd();
    return body.split("\n").length > MOST_LINES ? [`${path.replace("packages/drydock/src/", "")} ${name}`] : [];
  });
}
