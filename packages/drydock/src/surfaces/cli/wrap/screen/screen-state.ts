import { type ControlSequence, INSERT_MODE, OFF_BY_DEFAULT, ON_BY_DEFAULT } from "./decide-sequence.ts";

/** xterm keeps ten titles: more would push out the one from before. */
const MAX_TITLES = 8;
const TITLES = /^2([23])(?:;[012])?/;

/** What a program has made of the terminal, so that it can be undone: programs die before they clean up. */
export interface ScreenState {
  note(sequence: ControlSequence): void;
  /** Whether it keeps or fetches a title in a way that would lose the one from before. */
  losesTitle(sequence: ControlSequence): boolean;
  noteKeypad(isApplication: boolean): void;
  noteColor(): void;
  noteTitle(): void;
  /** What makes the terminal as it was. */
  undo(): string;
}

export function createScreenState(): ScreenState {
  const modes = new Map<string, boolean>();
  /** Resources of `CSI > … m`, which say what keys send. */
  const keys = new Set<string>();
  let pushed = 0;
  let titles = 0;
  const touched = { flags: false, cursor: false, margins: false, keypad: false, colors: false, title: false };
  return {
    losesTitle({ prefix, numbers, intermediates, final }) {
      const [, kind] = (prefix + intermediates === "" && final === "t" && TITLES.exec(numbers)) || [];
      return (kind === "2" && titles >= MAX_TITLES) || (kind === "3" && titles === 0);
    },
    note({ prefix, numbers, intermediates, final }) {
      if (intermediates === "" && (final === "h" || final === "l")) {
        for (const mode of numbers.split(";")) modes.set(prefix + mode, final === "h");
      } else if (final === "u" && prefix === ">") pushed += 1;
      else if (final === "u" && prefix === "<") pushed -= Math.min(pushed, Number(numbers) || 1);
      else if (final === "u" && prefix === "=") touched.flags = true;
      else if ((final === "m" || final === "n") && prefix === ">") keys.add(/^\d?/.exec(numbers)?.[0] || "4");
      else if (final === "t" && prefix === "" && TITLES.test(numbers))
        titles += TITLES.exec(numbers)?.[1] === "2" ? 1 : -1;
      else if (final === "q" && intermediates === " ") touched.cursor = true;
      else if (final === "r" && prefix === "") touched.margins = true;
    },
    noteKeypad(isApplication) {
      touched.keypad = isApplication;
    },
    noteColor() {
      touched.colors = true;
    },
    noteTitle() {
      touched.title = true;
    },
    undo() {
      const parts: string[] = [];
      for (const mode of OFF_BY_DEFAULT) if (modes.get(`?${mode}`) === true) parts.push(`\u001b[?${mode}l`);
      for (const mode of ON_BY_DEFAULT) if (modes.get(`?${mode}`) === false) parts.push(`\u001b[?${mode}h`);
      if (modes.get(INSERT_MODE) === true) parts.push(`\u001b[${INSERT_MODE}l`);
      if (pushed > 0) parts.push(`\u001b[<${pushed}u`);
      if (touched.flags) parts.push("\u001b[=0u");
      for (const key of keys) parts.push(`\u001b[>${key}m`);
      if (touched.cursor) parts.push("\u001b[0 q");
      // Without them the cursor would go home.
      if (touched.margins) parts.push("\u001b7\u001b[r\u001b8");
      if (touched.keypad) parts.push("\u001b>");
      if (touched.colors) parts.push("\u001b]104\u0007\u001b]110\u0007\u001b]111\u0007\u001b]112\u0007");
      parts.push("\u001b[23;0t".repeat(titles + (touched.title ? 1 : 0)));
      // An open link, colours, the alphabet of line drawings.
      parts.push("\u001b]8;;\u0007\u001b[0m\u001b(B\u000f");
      return parts.join("");
    },
  };
}
