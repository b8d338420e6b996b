import { describe, expect, it } from "vitest";
import { createScreenFilter } from "./screen-filter.ts";

const ESC = "\u001b";

function filter(text: string | Uint8Array): string {
  return createScreenFilter()
    .write(typeof text === "string" ? Buffer.from(text) : text)
    .toString();
}

describe("what passes from a wrapped program to the terminal", () => {
  it.each([
    ["text in any alphabet", "plain ä 日本 🙂\r\n\ttab\b\u0007"],
    ["colours", `${ESC}[1;38;2;10;20;30mred${ESC}[0m ${ESC}[4:3mcurly`],
    ["the cursor and erasing", `${ESC}[2J${ESC}[10;20H${ESC}[K${ESC}[?25l${ESC}7${ESC}8`],
    [
      "the other screen, mouse, paste and synchronized updates",
      `${ESC}[?1049h${ESC}[?1000;1006h${ESC}[?2004h${ESC}[?2026h`,
    ],
    ["line drawing", `${ESC}(0lqk${ESC}(B${ESC}#8`],
    ["questions with answers of a fixed form", `${ESC}[c${ESC}[>c${ESC}[6n${ESC}[?2026$p${ESC}[?u${ESC}[>0q${ESC}[18t`],
    ["the keyboard protocol", `${ESC}[>1u${ESC}[=5;1u${ESC}[<u${ESC}[>4;2m`],
    ["cursor style and soft reset", `${ESC}[5 q${ESC}[!p`],
    ["links to the web", `${ESC}]8;id=1;https://example.org/a\u0007text${ESC}]8;;\u0007`],
    ["pictures", `${ESC}P0;1q"1;1;2;2#0~~${ESC}\\after`],
  ])("%s", (_, text) => {
    expect(filter(text)).toBe(text);
  });

  it("a title, as text without controls, and the one before is kept for the end", () => {
    const screen = createScreenFilter();
    const shown = screen.write(Buffer.from(`${ESC}]0;building\u0001\u202e…${ESC}\\`)).toString();
    expect(shown).toBe(`${ESC}[22;0t${ESC}]0;building…\u0007`);
    expect(screen.undo()).toContain(`${ESC}[23;0t`);
  });

  it("a question for a colour, and the colours are reset at the end", () => {
    const screen = createScreenFilter();
    expect(screen.write(Buffer.from(`${ESC}]11;?${ESC}\\`)).toString()).toBe(`${ESC}]11;?\u0007`);
    expect(screen.undo()).toContain(`${ESC}]111\u0007`);
  });
});

describe("what does not pass", () => {
  it.each([
    ["setting the clipboard", `${ESC}]52;c;cm0gLXJmIC8=\u0007`],
    ["reading the clipboard", `${ESC}]52;c;?${ESC}\\`],
    ["reading the title back, which types it", `${ESC}[21t`],
    ["moving and resizing the window", `${ESC}[3;0;0t${ESC}[8;10;10t${ESC}[2t`],
    ["a checksum of the screen's content", `${ESC}[1;1;1;1;5;5*y`],
    ["printing", `${ESC}[5i${ESC}[?5i`],
    ["the answerback", "\u0005"],
    ["files and variables of iTerm2", `${ESC}]1337;File=name=x:AAAA\u0007`],
    ["files by the kitty protocol", `${ESC}_Ga=T,t=f;L2V0Yy9wYXNzd2Q=${ESC}\\`],
    ["what a multiplexer outside would pass on", `${ESC}Ptmux;${ESC}${ESC}]52;c;eA==\u0007${ESC}\\`],
    ["requests for settings, whose answers echo", `${ESC}P$qm${ESC}\\${ESC}P+q544e${ESC}\\`],
    ["programmed keys", `${ESC}P1;1|17/0a${ESC}\\`],
    [
      "notifications, directories and prompt marks",
      `${ESC}]9;hi\u0007${ESC}]777;notify;a;b\u0007${ESC}]7;file:///etc\u0007${ESC}]133;A\u0007`,
    ],
    ["another encoding", `${ESC}%@${ESC} G`],
    ["titles by the way of screen", `${ESC}ktitle${ESC}\\`],
    ["links to files and programs", `${ESC}]8;;file:///etc/passwd\u0007${ESC}]8;;ssh://x\u0007`],
    ["what locks the keyboard, echoes keys, or changes what Enter sends", `${ESC}[2h${ESC}[12l${ESC}[20h`],
    ["what makes the terminal one that reads differently (VT52)", `${ESC}[?2l`],
    ["modes of the window and of keys", `${ESC}[?3h${ESC}[?67h${ESC}[?1043h${ESC}[?9001h${ESC}[?1036l`],
    ["modes that are saved and fetched behind the filter's back", `${ESC}[?1000s${ESC}[?1000r`],
    ["fetching a title that it did not keep", `${ESC}[23;0t`],
    ["privacy messages and strings", `${ESC}^secret${ESC}\\${ESC}Xsecret${ESC}\\`],
  ])("%s", (_, text) => {
    expect(filter(`a${text}b`)).toBe("ab");
  });

  it("controls of eight bits, as bytes and as characters", () => {
    expect(filter(Buffer.from("a\u009d52;c;eA==\u009cb"))).toBe("a52;c;eA==b");
    expect(filter(Uint8Array.of(0x61, 0xe0, 0x82, 0x9b, 0x62))).toBe("ab");
    expect(filter(Uint8Array.of(0x61, 0x9b, 0x32, 0x31, 0x74, 0x62))).toBe("a\ufffd21tb");
  });

  it("a mode among others, and the others do", () => {
    expect(filter(`${ESC}[?1049;2;67;25h${ESC}[4;2h`)).toBe(`${ESC}[?1049;25h${ESC}[4h`);
  });

  it("more titles than the terminal keeps, which would lose the one from before", () => {
    const screen = createScreenFilter();
    expect(screen.write(Buffer.from(`${ESC}[22;0t`.repeat(20))).toString()).toBe(`${ESC}[22;0t`.repeat(8));
    expect(screen.undo()).toContain(`${ESC}[23;0t`.repeat(8));
    const changed = createScreenFilter();
    changed.write(Buffer.from(`${ESC}]0;one\u0007${ESC}[23;0t${ESC}]0;two\u0007`));
    expect(changed.undo()).toContain(`${ESC}[23;0t`);
  });

  it("a sequence that is longer than any program needs", () => {
    expect(filter(`${ESC}]0;${"x".repeat(10_000)}\u0007after`)).toBe("after");
    expect(filter(`${ESC}[${"1;".repeat(600)}mafter`)).not.toContain(ESC);
  });
});

describe("the filter", () => {
  it("gives the same however the bytes are cut", () => {
    const text = `x${ESC}[31mä日🙂${ESC}]0;t${ESC}\\${ESC}]52;c;eA==${ESC}\\y${ESC}P0q#0~${ESC}\\z${ESC}Pzz${ESC}\\\u0085w`;
    const bytes = Buffer.from(text);
    const whole = filter(bytes);
    for (let size = 1; size < 8; size++) {
      const screen = createScreenFilter();
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) parts.push(screen.write(bytes.subarray(at, at + size)));
      expect(Buffer.concat(parts).toString()).toBe(whole);
    }
  });

  it("ends a string that another sequence cuts off, and obeys that one", () => {
    expect(filter(`${ESC}]0;unfinished${ESC}[31mred`)).toBe(`${ESC}[31mred`);
    expect(filter(`${ESC}_G${ESC}]52;c;eA==\u0007b`)).toBe("b");
  });

  it("undoes what a program has left: the other screen, modes, keys, cursor", () => {
    const screen = createScreenFilter();
    screen.write(
      Buffer.from(`${ESC}[?1049h${ESC}[?1000h${ESC}[?1000l${ESC}[?2004h${ESC}[?25l${ESC}[>1u${ESC}=${ESC}[5 q`),
    );
    const undone = screen.undo();
    for (const part of ["[?1049l", "[?2004l", "[?25h", "[<1u", ">", "[0 q", "[0m"])
      expect(undone).toContain(ESC + part);
    expect(undone).not.toContain("[?1000l");
    const other = createScreenFilter();
    other.write(Buffer.from(`${ESC}[=5;1u${ESC}[>1;2m${ESC}[>4;2m${ESC}[4h${ESC}[?9h${ESC}[?6h${ESC}[?2048h`));
    const left = other.undo();
    for (const part of ["[=0u", "[>1m", "[>4m", "[4l", "[?9l", "[?6l", "[?2048l"]) expect(left).toContain(ESC + part);
  });
});
