import { describe, expect, it } from "vitest";
import { findPictureProtocol, writePicture } from "./picture-protocol.ts";

/** The first part of a PNG of this size, and whatever follows it. */
function beginPng(width: number, height: number, rest: Uint8Array): Buffer {
  const head = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0", "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, rest]);
}

const SEQUENCE = new RegExp(`${String.fromCharCode(27)}_G([^;]*);([A-Za-z0-9+/=]*)${String.fromCharCode(27)}\\\\`, "g");

describe("a picture in a terminal", () => {
  it.each([
    [{ TERM: "xterm-kitty" }, "kitty"],
    [{ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, "kitty"],
    [{ TERM_PROGRAM: "ghostty" }, "kitty"],
    [{ TERM_PROGRAM: "iTerm.app" }, "iterm2"],
    [{ TERM_PROGRAM: "WezTerm" }, "iterm2"],
    [{ TERM: "foot" }, "sixel"],
    [{ TERM: "mlterm" }, "sixel"],
    [{ TERM: "foot", TMUX: "/tmp/tmux" }, null],
    [{ TERM: "xterm-256color" }, null],
    [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }, null],
    [{ TERM: "dumb", TERM_PROGRAM: "iTerm.app" }, null],
  ])("is shown as the terminal can: %j", (environment, protocol) => {
    expect(findPictureProtocol(environment)).toBe(protocol);
  });

  it("is sent to kitty in pieces that make up its bytes", async () => {
    const bytes = beginPng(
      100,
      100,
      new Uint8Array(10_000).map((_, index) => index % 251),
    );
    const pieces = [...((await writePicture("kitty", bytes)) ?? "").matchAll(SEQUENCE)];
    expect(pieces.map(([, keys]) => keys)).toEqual(["a=T,f=100,q=2,m=1", "m=1", "m=1", "m=0"]);
    const text = pieces.map(([, , data]) => data).join("");
    expect(Buffer.from(text, "base64")).toEqual(bytes);
    expect(pieces.every(([, , data = ""]) => data.length <= 4096)).toBe(true);
  });

  it("is sent to iTerm2 with its size, and nothing but its bytes as base64", async () => {
    const bytes = beginPng(1, 1, Buffer.from("\x1b]52;c;x\x07"));
    const written = await writePicture("iterm2", bytes);
    expect(written).toBe(`\x1b]1337;File=inline=1;size=${bytes.length}:${bytes.toString("base64")}\x07\n`);
  });

  it.each(["kitty", "iterm2", "sixel"] as const)("is not sent to %s where it is none, or far too large", async (to) => {
    expect(await writePicture(to, Buffer.from("\x1b]52;c;x\x07".repeat(10)))).toBeNull();
    expect(await writePicture(to, beginPng(60_000, 60_000, Buffer.alloc(20)))).toBeNull();
  });
});
