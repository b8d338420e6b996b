import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useHome } from "../cli/testing/use-home.ts";
import { driveRepl } from "./testing/drive-repl.ts";
import { HAS_TMUX } from "./testing/open-tmux.ts";

const home = useHome();
const screens = join(import.meta.dirname, "screens");
if (!HAS_TMUX) process.stderr.write("tmux is not installed: the REPL is not driven through a terminal here.\n");

describe.skipIf(!HAS_TMUX)("the REPL in a terminal", () => {
  it("runs code over several lines, keeps variables, and changes nothing by a step that fails", async () => {
    await using repl = await driveRepl({ home: home(), argv: [] });
    await repl.enter("x = 6", "x * 7", "total = 0", "for i in range(3):", "    total += i", "", "total");
    await repl.enter("values = [", "  1,", "  2,", "]", "values", "x = 1 / 0", "x", "import os");
    await repl.enter('{"name": "dock", "deep": True, "none": None, "n": [1.5, -2]}');
    await expect(await repl.golden()).toMatchFileSnapshot(join(screens, "code.txt"));
    await repl.press("C-d");
    expect(await repl.ended()).toBe(0);
  });
});
