import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { HAS_TMUX, openTmux, type Tmux } from "../../src/surfaces/repl/testing/open-tmux.ts";

const directory = useTemporaryDirectory();
const workspace = join(directory, "workspace");
const LINES = Array.from({ length: 200 }, (_, index) => `line ${index + 1} of the text`);

/** Real terminal programs in one wrap, on the screen of a real terminal emulator with 80 columns and 24 rows. */
describe.runIf(HAS_TMUX)("the screen of a wrap", () => {
  let tmux: Tmux;

  beforeAll(async () => {
    mkdirSync(join(directory, "home"), { mode: 0o700 });
    writeFiles(workspace, { "text.txt": `${LINES.join("\n")}\n`, "note.txt": "first\n" });
    const argv = ["wrap", "--env", "PS1=inside> ", "--", "bash", "--norc"];
    tmux = await openTmux({ home: join(directory, "home"), argv, columns: 80, rows: 24, directory: workspace });
    await tmux.shows("inside>");
  });

  afterAll(() => tmux?.[Symbol.asyncDispose]());

  /** Waits for a screen, and returns its lines. */
  async function see(fits: (lines: string[]) => boolean): Promise<string[]> {
    let lines: string[] = [];
    const look = async () => {
      lines = await tmux.lines();
      return fits(lines) ? "" : `the screen:\n${lines.join("\n")}`;
    };
    await expect.poll(look, { timeout: 30_000, interval: 100 }).toBe("");
    return lines;
  }

  async function enter(text: string): Promise<void> {
    await tmux.type(text);
    await tmux.press("Enter");
  }

  const written = (lines: string[]) => lines.filter((line) => line !== "");
  const isAtPrompt = (lines: string[]) => written(lines).at(-1) === "inside>";

  it("is vim's while it runs, and the shell's afterwards", async () => {
    await enter("vim -u NONE -N note.txt");
    const opened = await see((lines) => lines[0] === "first" && lines[22] === "~");
    expect(opened.slice(0, 24)).toEqual(["first", ...Array(22).fill("~"), expect.stringContaining("note.txt")]);
    await tmux.type("osecond ä 日本");
    await see((lines) => lines[1] === "second ä 日本" && lines[23]?.startsWith("-- INSERT --") === true);
    await tmux.press("Escape");
    await enter(":wq");
    await see((lines) => isAtPrompt(lines) && !lines.includes("~"));
    await enter("clear; cat note.txt");
    expect(written(await see((lines) => lines[1] === "second ä 日本" && isAtPrompt(lines)))).toEqual([
      "first",
      "second ä 日本",
      "inside>",
    ]);
    expect(readFileSync(join(workspace, "note.txt"), "utf8")).toBe("first\n");
  });

  it("is paged by less, forward and back, also in another size", async () => {
    await enter("clear; less text.txt");
    await see((lines) => lines[0] === LINES[0] && lines[22] === LINES[22]);
    await tmux.press("Space");
    expect((await see((lines) => lines[22] === LINES[45])).slice(0, 23)).toEqual(LINES.slice(23, 46));
    await tmux.press("g");
    await see((lines) => lines[0] === LINES[0]);
    await tmux.resize(60, 12);
    expect((await see((lines) => lines[10] === LINES[10] && lines[11] !== LINES[11])).slice(0, 11)).toEqual(
      LINES.slice(0, 11),
    );
    await tmux.resize(80, 24);
    await see((lines) => lines[22] === LINES[22]);
    await tmux.press("q");
    await see(isAtPrompt);
  });

  it("shows the processes of the sandbox in top, and no others", async () => {
    await enter("clear; top -d 1");
    const listed = (lines: string[]) => lines.filter((line) => /^\s*\d+ dock /.test(line));
    const shown = await see((lines) => listed(lines).some((line) => line.endsWith("top")));
    expect(
      listed(shown)
        .map((line) => line.split(/\s+/).at(-1))
        .sort(),
    ).toEqual(["bash", "top"]);
    await tmux.press("q");
    await see(isAtPrompt);
  });

  it("has the REPL of Python, with line editing, history and interrupts", async () => {
    await enter("clear; python3 -q");
    await see((lines) => lines.includes(">>>"));
    await tmux.type("1 + 2x");
    await tmux.press("BSpace", "Enter");
    await see((lines) => lines.includes("3"));
    await tmux.press("Up", "BSpace");
    await enter("40");
    await see((lines) => lines.includes("41"));
    await enter("import time; print('waiting'); time.sleep(60)");
    await see((lines) => lines.includes("waiting"));
    await tmux.press("C-c");
    await see((lines) => lines.includes("KeyboardInterrupt"));
    await tmux.press("C-d");
    await see(isAtPrompt);
  });

  it("has bash with job control", async () => {
    await enter("clear; sh -c 'echo up; exec sleep 50'");
    await see((lines) => lines.includes("up"));
    await tmux.press("C-z");
    await see((lines) => lines.some((line) => /Stopped\s+sh -c/.test(line)));
    await enter("bg; jobs; kill %1; wait; clear; echo over");
    await see((lines) => lines[0] === "over");
  });

  it("makes a checkpoint by key, and says so at the bottom", async () => {
    await tmux.press("C-^", "c");
    await see((lines) => /^ checkpoint \d+$/.test(lines[23] ?? ""));
    await see((lines) => !/checkpoint/.test(lines[23] ?? ""));
  });

  it("has titles and no clipboard, and is put back when the program has ended", async () => {
    // On a line of its own: after the key before, bash is told of a new size, and draws its prompt again from the first column.
    await enter("clear; printf '\\033]2;wrapped\\007\\033]52;c;c3RvbGVu\\007\\033[?1000h\\033[?1049hother\\n'");
    await see((lines) => lines.some((line) => line.startsWith("other")));
    expect(await tmux.title()).toBe("wrapped");
    expect(await tmux.variable("mouse_any_flag")).toBe("1");
    expect(await tmux.variable("alternate_on")).toBe("1");
    expect(await tmux.variable("buffer_sample")).not.toContain("stolen");
    await enter("exit 3");
    await tmux.shows("What becomes of the changes?");
    expect(await tmux.variable("mouse_any_flag")).toBe("0");
    expect(await tmux.variable("alternate_on")).toBe("0");
    const review = await tmux.screen();
    expect(review).toContain("+1  -0  note.txt");
    expect(review).toContain("Verdict unverified: There was no check");
    await tmux.press("Enter");
    await tmux.shows("undo: drydock runs revert");
    expect(readFileSync(join(workspace, "note.txt"), "utf8")).toBe("first\nsecond ä 日本\n");
    expect(await tmux.ended()).toBe(3);
  });
});
