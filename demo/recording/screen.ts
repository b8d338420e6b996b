/** How a cell is painted. Colours are the terminal's numbers, 0 to 15. */
export interface Style {
  color: number | null;
  background: number | null;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
}

export interface Run {
  column: number;
  text: string;
  style: Style;
}

export interface Screen {
  write(text: string): void;
  /** The lines from the top, each as pieces of one style; blank cells are left out at the ends. */
  lines(): Run[][];
}

interface Cell {
  char: string;
  style: Style;
}

const PLAIN: Style = { color: null, background: null, isBold: false, isDim: false, isInverse: false };
/** What Drydock writes: text, line ends, and control sequences of the form ESC [ … letter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const TOKENS = /\u001b\[([?\d;]*)([A-Za-z])|\r|\n|[^\u001b\r\n]/gu;

/** As much of a terminal as Drydock's output needs. A sequence that it does not know is an error, not a wrong picture. */
export function createScreen(columns: number): Screen {
  const grid: Cell[][] = [[]];
  let row = 0;
  let column = 0;
  let style = PLAIN;
  const lineAt = (index: number): Cell[] => {
    while (grid.length <= index) grid.push([]);
    return grid[index] ?? [];
  };

  function put(char: string): void {
    if (column >= columns) {
      row++;
      column = 0;
    }
    const line = lineAt(row);
    while (line.length < column) line.push({ char: " ", style: PLAIN });
    line[column++] = { char, style };
  }

  function control(numbers: string, letter: string): void {
    const count = numbers === "" ? 1 : Number(numbers);
    switch (letter) {
      case "m":
        for (const code of numbers.split(";")) style = paint(style, Number(code));
        return;
      case "A":
        row = Math.max(0, row - count);
        return;
      case "K":
        lineAt(row).splice(column);
        return;
      case "J":
        lineAt(row).splice(column);
        grid.splice(row + 1);
        return;
      case "h":
      case "l":
        // Modes such as a hidden cursor change nothing that is drawn here.
        if (numbers.startsWith("?")) return;
    }
    throw new Error(`The recording does not know ESC [ ${numbers}${letter}.`);
  }

  return {
    write(text) {
      for (const [token, numbers = "", letter] of text.matchAll(TOKENS)) {
        if (letter !== undefined) control(numbers, letter);
        else if (token === "\r") column = 0;
        else if (token === "\n") lineAt(++row);
        else put(token);
      }
    },
    lines: () => grid.map(joinCells),
  };
}

function paint(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 7) return { ...style, isInverse: true };
  if (code === 27) return { ...style, isInverse: false };
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code === 39) return { ...style, color: null };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  if (code === 49) return { ...style, background: null };
  throw new Error(`The recording does not know the style ${code}.`);
}

function joinCells(cells: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (const [column, { char, style }] of cells.entries()) {
    const last = runs.at(-1);
    if (last && isSame(last.style, style)) last.text += char;
    else runs.push({ column, text: char, style });
  }
  return runs.filter(({ text, style }) => text.trim() !== "" || style.background !== null || style.isInverse);
}

function isSame(one: Style, other: Style): boolean {
  return (Object.keys(one) as (keyof Style)[]).every((key) => one[key] === other[key]);
}
