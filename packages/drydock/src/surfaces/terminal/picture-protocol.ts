/** How a terminal takes pictures within its text. */
export type PictureProtocol = "kitty" | "iterm2";

const KITTY_CHUNK_CHARS = 4096;
const KITTY_TERMINALS = new Set(["ghostty", "kitty"]);
const ITERM_TERMINALS = new Set(["iTerm.app", "WezTerm", "mintty", "rio"]);

/** By what terminals say of themselves in the environment. Null: it takes none, or a multiplexer stands between. */
export function findPictureProtocol(environment: Readonly<Record<string, string | undefined>>): PictureProtocol | null {
  const { TERM = "", TERM_PROGRAM = "", KITTY_WINDOW_ID, LC_TERMINAL, TMUX, STY } = environment;
  if (TMUX !== undefined || STY !== undefined || TERM === "dumb") return null;
  if (KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty" || KITTY_TERMINALS.has(TERM_PROGRAM)) return "kitty";
  if (ITERM_TERMINALS.has(TERM_PROGRAM) || LC_TERMINAL === "iTerm2") return "iterm2";
  return null;
}

/** The control sequence that shows a PNG. Only the picture's bytes go into it, as base64. */
export function writePicture(protocol: PictureProtocol, png: Uint8Array): string {
  const text = Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString("base64");
  if (protocol === "iterm2") return `\x1b]1337;File=inline=1;size=${png.byteLength}:${text}\x07\n`;
  const chunks = text.match(new RegExp(`.{1,${KITTY_CHUNK_CHARS}}`, "g")) ?? [];
  const last = chunks.length - 1;
  const sequences = chunks.map((chunk, index) => {
    const head = index === 0 ? "a=T,f=100," : "";
    return `\x1b_G${head}m=${index === last ? 0 : 1};${chunk}\x1b\\`;
  });
  return `${sequences.join("")}\n`;
}
