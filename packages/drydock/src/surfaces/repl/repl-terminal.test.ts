import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { mapLimits } from "@drydock/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { installParrot } from "../cli/testing/install-extension.ts";
import { useHome } from "../cli/testing/use-home.ts";
import { driveRepl } from "./testing/drive-repl.ts";
import { HAS_TMUX } from "./testing/open-tmux.ts";

const home = useHome();
const golden = (name: string) => join(import.meta.dirname, "screens", `${name}.txt`);
/** A limit that nobody has set, on the screen of `/policy`. */
const LIMIT_ROW = /^limits\.(\w+) +(\d+) +(\d+) +system\n/gm;
if (!HAS_TMUX) process.stderr.write("tmux is not installed: the REPL is not driven through a terminal here.\n");

describe.skipIf(!HAS_TMUX)("the REPL in a terminal", () => {
  beforeEach(() => rm(join(home(), "repl-history"), { force: true }));

  it("runs code over several lines, keeps variables, and changes nothing by a step that fails", async () => {
    await using repl = await driveRepl({ home: home(), argv: [] });
    await repl.enter("x = 6", "x * 7", "total = 0", "for i in range(3):", "    total += i", "", "total");
    await repl.enter("values = [", "  1,", "  2,", "]", "values", "x = 1 / 0", "x", "import os");
    await repl.enter('{"name": "dock", "deep": True, "none": None, "n": [1.5, -2]}');
    await expect(await repl.golden()).toMatchFileSnapshot(golden("code"));
    await repl.press("C-d");
    expect(await repl.ended()).toBe(0);
  });

  it("knows its commands", async () => {
    await using repl = await driveRepl({ home: home(), argv: [], rows: 120, columns: 250 });
    await repl.enter(
      "/help",
      "/agents",
      "/session",
      "a = 1",
      "b = 'two'",
      "/session",
      "/session rollback 1",
      "/session",
    );
    await repl.enter(
      "/execute a + 1",
      "execute a + 2",
      "/session rollback 7",
      "/session reset",
      "/session",
      "/debug on",
    );
    await repl.enter(
      "a = 5",
      "/debug off",
      "/policy",
      "/run",
      "/run nobody",
      "/debug perhaps",
      "/session fly",
      "/nope",
    );
    const screen = await repl.golden();
    // The rows of the table of limits are compared with it: the file does not repeat them.
    const limits = [...screen.matchAll(LIMIT_ROW)].map(([, key = "", ...numbers]) => [key, numbers.map(Number)]);
    const { wallSeconds: _wall, cpuSeconds: _cpu, ...usual } = mapLimits((_key, row) => [row.default, row.max]);
    expect(Object.fromEntries(limits)).toEqual(usual);
    const others = screen.replace(LIMIT_ROW, "").replace(/\d+ by the system/, "MOST by the system");
    await expect(others).toMatchFileSnapshot(golden("commands"));
    await repl.type("/exit");
    await repl.press("Enter");
    expect(await repl.ended()).toBe(0);
  });

  it("passes commands that are not its own to extensions, and asks where that is needed", async () => {
    await installParrot(home());
    await using repl = await driveRepl({ home: home(), argv: [], rows: 80, columns: 110 });
    await repl.enter(
      "/parrot say 'a  b' | /parrot say '<{{ last.text }}>' --tone low",
      "/parrot fail",
      "/sesion",
      "/prarot x",
    );
    await repl.enter("/parrot say {{ history[7].text }}", "/help polly say", "/parrot escape", "/extensions");
    for (const answer of ["no: too early", "y"]) {
      await repl.type(`/parrot shout ${answer.length}`);
      await repl.press("Enter");
      await repl.shows(new RegExp(`^/parrot shout ${answer.length}|! /parrot shout ${answer.length}`, "m"));
      await repl.shows(/reason if you like\]\s*$/);
      await repl.type(answer);
      await repl.press("Enter");
      await repl.ready();
    }
    await repl.type("/parr");
    await repl.press("Tab");
    await repl.shows(/drydock> \/parrot\s*$/);
    await repl.type("sh");
    await repl.press("Tab");
    await repl.shows(/drydock> \/parrot shout\s*$/);
    await repl.type("'x");
    await repl.press("C-c");
    await repl.ready();
    await expect(await repl.golden()).toMatchFileSnapshot(golden("extensions"));
  });

  it("asks for what code waits for, remembers none of it, and leaves Ctrl-C and Ctrl-D to the step", async () => {
    await using repl = await driveRepl({ home: home(), argv: [] });
    const ask = async (code: string, prompt: RegExp) => {
      await repl.type(code);
      await repl.press("Enter");
      await repl.shows(prompt);
    };
    await ask("name = input('who? ')", /^who\? *$/m);
    await repl.type("Adx");
    await repl.press("BSpace");
    await repl.type("a");
    await repl.press("Enter");
    await repl.ready();
    await repl.enter("name");
    await ask("import getpass; n = len(getpass.getpass('key: '))", /^key: *$/m);
    await repl.type("unseen");
    await repl.press("Enter");
    await repl.ready();
    await repl.enter("n");
    await ask("input('end? ')", /^end\? *$/m);
    await repl.press("C-d");
    await repl.shows("EOFError");
    await repl.ready();
    await ask("input('stop? ')", /^stop\? *$/m);
    await repl.press("C-c");
    await repl.shows("run.cancelled");
    await repl.enter("name");
    await expect(await repl.golden()).toMatchFileSnapshot(golden("input"));
    const history = await readFile(join(home(), "repl-history"), "utf8");
    expect(history).toContain("getpass");
    expect(history).not.toMatch(/Ada|unseen/);
  });

  it("is stopped by Ctrl-C at a step, and goes on", async () => {
    await using repl = await driveRepl({ home: home(), argv: [] });
    await repl.enter("kept = 1");
    await repl.type("print('begun', flush=True); kept = 2; [n for n in iter(int, 1)]");
    await repl.press("Enter");
    await repl.shows(/^begun$/m);
    await repl.press("C-c");
    await repl.shows("run.cancelled");
    await repl.enter("kept");
    await repl.type("half a line");
    await repl.press("C-c");
    await repl.shows("^C\n");
    await repl.enter("f(");
    await repl.press("C-c");
    await repl.shows(/\.\.\.\s*\^C\ndrydock>\s*$/);
    await repl.press("C-c");
    await repl.shows("Ctrl-D or /exit leaves");
    await repl.enter("kept");
    await expect(await repl.golden()).toMatchFileSnapshot(golden("interrupts"));
  });

  it("completes commands, variables and agents, and remembers lines between starts, without secrets", async () => {
    const environment = { DOCK_TOKEN: "open-sesame-1234567890" };
    {
      await using first = await driveRepl({ home: home(), argv: [], environment });
      await first.enter("counted = 41", "key = 'open-sesame-1234567890'");
      await first.type("/se");
      await first.press("Tab");
      await first.shows(/drydock> \/session$/m);
      await first.press("C-u");
      await first.type("counte");
      await first.press("Tab");
      await first.shows(/^drydock> counted$/m);
      await first.type(" + 1");
      await first.press("Enter");
      await first.shows(/^42$/m);
      await first.press("C-d");
      expect(await first.ended()).toBe(0);
    }
    const file = join(home(), "repl-history");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const kept = await readFile(file, "utf8");
    expect(kept).toMatch(/^counted = 41\nkey = '\[redacted:\w+\]'\ncounted \+ 1\n$/);
    await using second = await driveRepl({ home: home(), argv: [] });
    await second.press("Up", "Up", "Up");
    await second.shows("drydock> counted = 41");
    await second.press("Enter");
    await second.ready();
    await second.enter("counted");
    await expect(await second.golden()).toMatchFileSnapshot(golden("history"));
  });

  it("shows results, code's own colours and errors in colours, and nothing else that a terminal obeys", async () => {
    await using repl = await driveRepl({ home: home(), argv: [] });
    await repl.enter('{"text": "a", "n": 1, "yes": True}', "print('\\x1b[32mgreen\\x1b[0m')", "1 / 0");
    await repl.enter("print('\\x1b]0;owned\\x07\\x1b[2J\\x1b[Hgone?')", "globals()['\\x1b[2Jevil'] = 1", "'\\x1b[2J'");
    await expect(await repl.golden({ withColors: true })).toMatchFileSnapshot(golden("colors"));
    await repl.type("\u001b]0;owned\u0007");
    await repl.shows("drydock> 0;owned");
    expect(await repl.title()).not.toBe("owned");
  });

  it("runs Node in a session of its own kind, and says that the guard is off; what is pasted at once runs in its order", async () => {
    await using repl = await driveRepl({ home: home(), argv: ["--lang", "node"] });
    await repl.enter("const sum = (list) => {", "  return list.reduce((a, b) => a + b)", "}", "sum([1, 2, 3])");
    await expect(await repl.golden()).toMatchFileSnapshot(golden("node"));
    await using unsafe = await driveRepl({ home: home(), argv: ["--unsafe"] });
    await unsafe.enter("import os", "os.getuid() != 0, os.path.exists('/etc/shadow')");
    await expect(await unsafe.golden()).toMatchFileSnapshot(golden("unsafe"));
    await unsafe.type("a = 40\nif a:\n    a += 1\n\na + 1\n");
    await unsafe.shows(/^42$/m);
  });
});
