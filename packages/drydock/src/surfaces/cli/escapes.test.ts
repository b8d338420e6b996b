import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "./testing/run-cli.ts";
import { runInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const SIZE = { rows: 40, columns: 200 };

/** Clipboard, title, cursor, device query, sixel, alternate screen, C1, bell, overwriting, right to left, and a colour. */
const HOSTILE =
  "\u001b]52;c;aGk=\u0007\u001b]0;t\u0007\u001b[2J\u001b[6n\u001bPq\u001b\\\u001b[?1049h\u009b2J\u0007evil\rgood\b\u202ex\u001b[31mred\n";
const ESCAPE = "\u001b";
const COLORS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");
const PYTHON = JSON.stringify(HOSTILE);

/** On a busy machine Drydock tells how far it is, in a line of its own that goes again. */
const READING = new RegExp(
  `\\r${ESCAPE}\\[K(?:reading the workspace: [\\d,]+ entr(?:y|ies), [\\d,]+ files? hashed, \\d+ s)?`,
  "g",
);

/** What a terminal would obey, other than colours and line ends. */
function obeyed(screen: string): string[] {
  const withoutColors = screen.replaceAll(COLORS, "").replaceAll(READING, "").replaceAll("\r\n", "");
  return withoutColors.match(/[\p{Cc}\p{Bidi_Control}]/gu)?.filter((found) => found !== "\n" && found !== "\t") ?? [];
}

it("shows escape sequences of the code on a terminal, and obeys none but colours", async () => {
  const code = `import sys\nfor c in ${PYTHON}:\n  for s in (sys.stdout, sys.stderr): s.write(c); s.flush()`;
  const { status, screen } = await runInTerminal(home(), ["exec", "-c", code], SIZE);
  expect(status).toBe(0);
  expect(obeyed(screen)).toEqual([]);
  const whole = await runInTerminal(home(), ["exec", "-c", `print(${PYTHON}, end="")`], SIZE);
  expect(obeyed(whole.screen)).toEqual([]);
  expect(whole.screen).toContain("\\x1b]52;c;aGk=\\x07");
  expect(whole.screen).toContain("evil\r\ngood\\x08\\u202ex\u001b[31mred\r\n\u001b[0m");
});

it("passes the bytes of the code on exactly where no terminal is", async () => {
  const code = `import sys; s = ${PYTHON}; sys.stdout.write(s); sys.stderr.write(s)`;
  expect(await runCli("exec", "-c", code)).toEqual({ status: 0, stdout: HOSTILE, stderr: HOSTILE });
});

it("obeys nothing of names, diffs, errors and checks that come from inside", async () => {
  const workspace = await mkdtemp(join(tmpdir(), "drydock-escapes-"));
  try {
    await chmod(workspace, 0o777);
    const name = "\\x1b]0;t\\x07\\u202e\\rname.txt";
    const code = `open("${name}", "w").write(${PYTHON}); raise ValueError(${PYTHON})`;
    const commands = [
      ["exec", "--workspace", workspace, "-c", code],
      ["runs", "show", "last"],
      ["runs", "diff", "last"],
    ];
    for (const words of commands) {
      const { screen } = await runInTerminal(home(), words, SIZE);
      expect({ words, obeyed: obeyed(screen) }).toEqual({ words, obeyed: [] });
      expect(screen).not.toBe("");
    }
    const checks = join(home(), "checks.yaml");
    await writeFile(checks, JSON.stringify({ checks: [`printf '\\033]0;t\\007\\rx'; exit 1`] }));
    const { screen } = await runInTerminal(home(), ["verify", "--checks", checks, "--workspace", workspace], SIZE);
    // Drydock's own line that says which check runs goes with the result.
    expect(obeyed(screen.replaceAll("\r\u001b[K", ""))).toEqual([]);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}, 60_000);
