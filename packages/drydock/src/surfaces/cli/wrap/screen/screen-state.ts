import type { ControlSequence } from "./decide-sequence.ts";

/** Modes that programs set and terminals start without: the other screen, mouse, paste, focus, application keys. */
const OFF_BY_DEFAULT = [
  ...["1049", "1047", "47", "1000", "1001", "1002", "1003", "1004", "1005", "1006", "1015", "1016"],
  ...["2004", "2026", "2031", "1", "5", "66", "69", "1007"],
];
const ON_BY_DEFAULT = ["25", "7"];

/** What a program has made of the terminal, so that it can be undone: programs die before they clean up. */
export interface ScreenState {
  note(sequence: ControlSequence): void;
  noteKeypad(isApplication: boolean): void;
  noteColor(): void;
  noteTitle(): void;
  /** What makes the terminal as it was. */
  undo(): string;
}

export function createScreenState(): ScreenState {
  const modes = new Map<string, boolean>();
  let pushed = 0;
  const touched = { keys: false, cursor: false, margins: false, keypad: false, colors: false, title: false };
  return {
    note({ prefix, numbers, intermediates, final }) {
      if (prefix === "?" && (final === "h" || final === "l")) {
        for (const mode of numbers.split(";")) modes.set(mode, final === "h");
      } else if (final === "u" && prefix === ">") pushed += 1;
      else if (final === "u" && prefix === "<") pushed -= Math.min(pushed, Number(numbers) || 1);
      else if (final === "m" && prefix === ">") touched.keys = true;
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
      for (const mode of OFF_BY_DEFAULT) if (modes.get(mode) === true) parts.push(`\u001b[?${mode}l`);
      for (const mode of ON_BY_DEFAULT) if (modes.get(mode) === false) parts.push(`\u001b[?${mode}h`);
      if (pushed > 0) parts.push(`\u001b[<${pushed}u`);
      if (touched.keys) parts.push("\u001b[>4m");
      if (touched.cursor) parts.push("\u001b[0 q");
      // Without them the cursor would go home.
      if (touched.margins) parts.push("\u001b7\u001b[r\u001b8");
      if (touched.keypad) parts.push("\u001b>");
      if (touched.colors) parts.push("\u001b]104\u0007\u001b]110\u0007\u001b]111\u0007\u001b]112\u0007");
      if (touched.title) parts.push("\u001b[23;0t");
      // An open link, colours, the alphabet of line drawings.
      parts.push("\u001b]8;;\u0007\u001b[0m\u001b(B\u000f");
      return parts.join("");
    },
  };
}
