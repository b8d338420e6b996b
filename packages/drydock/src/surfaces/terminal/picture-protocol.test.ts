import { describe, expect, it } from "vitest";
import { findPictureProtocol, writePicture } from "./picture-protocol.ts";

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
    const bytes = new Uint8Array(10_000).map((_, index) => index % 251);
    const pieces = [...((await writePicture("kitty", bytes)) ?? "").matchAll(SEQUENCE)];
    expect(pieces.map(([, keys]) => keys)).toEqual(["a=T,f=100,m=1", "m=1", "m=1", "m=0"]);
    const text = pieces.map(([, , data]) => data).join("");
    expect(Buffer.from(text, "base64")).toEqual(Buffer.from(bytes));
    expect(pieces.every(([, , data = ""]) => data.length <= 4096)).toBe(true);
  });

  it("is sent to iTerm2 with its size, and nothing but its bytes as base64", async () => {
    const written = await writePicture("iterm2", Buffer.from("\x1b]52;c;x\x07"));
    expect(written).toBe("\x1b]1337;File=inline=1;size=9:G101MjtjO3gH\x07\n");
  });
});
