import { createScreen, type Run } from "./screen.ts";

export interface Frame {
  /** What the window is called meanwhile. */
  title: string;
  lines: Run[][];
  ms: number;
}

/** What is shown: a command, as it is typed, and what it wrote. */
export interface Scene {
  title: string;
  command: string;
  output: string;

  /** While the command works. */
  stepMs: number;
  /** At its end. */
  endMs: number;
}

const END_OF_FRAME = "\u001b[?2026l";
const TYPED_CHARS = 4;
const TYPED_MS = 90;
const PROMPT = "$ ";

/** A command as it is typed, what the terminal shows while it works, and its end. */
export function takeFrames({ title, command, output, stepMs, endMs }: Scene, columns: number): Frame[] {
  const frames: Frame[] = [];
  for (let typed = 0; typed < command.length; typed += TYPED_CHARS) {
    frames.push({ title, lines: show(columns, prompt(command.slice(0, typed))), ms: TYPED_MS });
  }
  const pieces = output.split(END_OF_FRAME);
  const typed = `${prompt(command)}\r\n`;
  let before = "";
  for (const end of pieces.keys()) {
    const isLast = end === pieces.length - 1;
    const lines = show(columns, typed + pieces.slice(0, end + 1).join(END_OF_FRAME));
    const now = describe(lines);
    // How often a spinner turns depends on the machine: only what says something else is a frame of its own.
    if (now === before && !isLast) continue;
    before = now;
    frames.push({ title, lines, ms: isLast ? endMs : stepMs });
  }
  return frames;
}

function prompt(command: string): string {
  return `\u001b[32m${PROMPT}\u001b[39m\u001b[1m${command}\u001b[22m`;
}

function show(columns: number, text: string): Run[][] {
  const screen = createScreen(columns);
  screen.write(text);
  return screen.lines();
}

function describe(lines: readonly Run[][]): string {
  return lines
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n")
    .replaceAll(/[\u2800-\u28ff]/g, "*")
    .replaceAll(/\d+(\.\d+)? m?s\b/g, "0 s");
}
