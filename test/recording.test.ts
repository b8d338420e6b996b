import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createScreen } from "../demo/recording/screen.ts";
import { takeFrames } from "../demo/recording/take-frames.ts";
import { writeSvg } from "../demo/recording/write-svg.ts";

const END = "\u001b[?2026l";

function textOf(output: string, columns = 20): string[] {
  const screen = createScreen(columns);
  screen.write(output);
  return screen.lines().map((runs) => runs.map(({ text }) => text).join("|"));
}

describe("the recording of a terminal", () => {
  it("draws lines again in the same place, breaks long ones, and keeps colours apart", () => {
    expect(textOf("one\r\ntwo\r\n\u001b[2A\u001b[32mOK\u001b[39m!\u001b[K\r\n\u001b[J")).toEqual(["OK|!", ""]);
    expect(textOf("abcdef", 4)).toEqual(["abcd", "ef"]);
  });

  it("stops at a sequence that it does not know, instead of drawing something else", () => {
    expect(() => textOf("\u001b[5C")).toThrow("5C");
    expect(() => textOf("\u001b[38m")).toThrow("38");
  });

  it("makes the same frames on a fast and on a slow machine: spinners and times count for nothing", () => {
    const scene = { title: "t", command: "run", stepMs: 1, endMs: 2 };
    const slow = takeFrames({ ...scene, output: `⠋ work 1 s${END}\r⠙ work 2 s${END}\r✓ done\u001b[K${END}` }, 20);
    const fast = takeFrames({ ...scene, output: `⠋ work 1 s${END}\r✓ done\u001b[K${END}` }, 20);
    expect(slow.length).toBe(fast.length);
    expect(slow.at(-1)).toMatchObject({ ms: 2, lines: fast.at(-1)?.lines });
  });

  it("shows text as text, whatever it holds", () => {
    const frames = takeFrames({ title: "<&>", command: "x", output: '<script>"&', stepMs: 1, endMs: 1 }, 20);
    const [still] = frames.slice(-1);
    if (!still) throw new Error("there is no frame");
    const svg = writeSvg("t", frames, 20, still);
    expect(svg).toContain("&lt;script>&quot;&amp;");
    expect(svg).not.toContain("<script");
  });

  it("is the README's picture: both ends are in it, nothing is loaded from elsewhere, nothing runs", () => {
    const svg = readFileSync(join(import.meta.dirname, "../docs/images/run.svg"), "utf8");
    expect(svg).toContain(" PASSED ");
    expect(svg).toContain(" FAILED ");
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|<script|<image|<foreignObject/);
    expect(svg).toContain("prefers-reduced-motion");
  });
});
