import { drawsSixel } from "./draws-sixel.ts";
import { readPngHead } from "./read-png-head.ts";
import type { Terminal } from "./terminal.ts";

/** How a terminal takes pictures within its text. */
export type PictureProtocol = "kitty" | "iterm2" | "sixel";

/** A few bytes can stand for any number of pixels, all of which the terminal would keep. */
const MAX_PIXELS = 32_000_000;
const KITTY_CHUNK_CHARS = 4096;
const KITTY_TERMINALS = new Set(["ghostty", "kitty"]);
/** Their `TERM`: they draw sixel, and need not be asked. */
const SIXEL_TERMINALS = /^(foot|foot-extra|mlterm|mlterm-256color|yaft-256color)$/;
const ITERM_TERMINALS = new Set(["iTerm.app", "WezTerm", "mintty", "rio"]);

/**
 * By what terminals say of themselves in the environment. Null: it says nothing there, or a multiplexer stands between. What
 * such a one can, its answer tells (`drawsSixel`).
 */
export function findPictureProtocol(environment: Readonly<Record<string, string | undefined>>): PictureProtocol | null {
  const { TERM = "", TERM_PROGRAM = "", KITTY_WINDOW_ID, LC_TERMINAL, TMUX, STY } = environment;
  if (TMUX !== undefined || STY !== undefined || TERM === "dumb") return null;
  if (KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty" || KITTY_TERMINALS.has(TERM_PROGRAM)) return "kitty";
  if (ITERM_TERMINALS.has(TERM_PROGRAM) || LC_TERMINAL === "iTerm2") return "iterm2";
  return SIXEL_TERMINALS.test(TERM) ? "sixel" : null;
}

/** The protocol of a terminal that may be asked; null: it shows no pictures. */
export async function choosePictureProtocol(
  terminal: Terminal,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PictureProtocol | null> {
  if (!terminal.isOutputTerminal || environment.TERM === "dumb") return null;
  return findPictureProtocol(environment) ?? ((await drawsSixel(terminal)) ? "sixel" : null);
}

/** The control sequence that shows a PNG; null for what is none, or is not shown. Only the picture's bytes go into it. */
export async function writePicture(protocol: PictureProtocol, png: Uint8Array): Promise<string | null> {
  const head = readPngHead(png);
  if (!head || head.width * head.height > MAX_PIXELS) return null;
  if (protocol === "sixel") return (await import("./write-sixel.ts")).writeSixel(png);
  const text = Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString("base64");
  if (protocol === "iterm2") return `\x1b]1337;File=inline=1;size=${png.byteLength}:${text}\x07\n`;
  const chunks = text.match(new RegExp(`.{1,${KITTY_CHUNK_CHARS}}`, "g")) ?? [];
  const last = chunks.length - 1;
  const sequences = chunks.map((chunk, index) => {
    // `q=2`: the terminal answers nothing. Whoever reads standard input next would take its answer for typed words.
    const head = index === 0 ? "a=T,f=100,q=2," : "";
    return `\x1b_G${head}m=${index === last ? 0 : 1};${chunk}\x1b\\`;
  });
  return `${sequences.join("")}\n`;
}
