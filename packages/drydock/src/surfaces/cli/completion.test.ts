import { beforeAll, describe, expect, it } from "vitest";
import { completeInShell, hasShell } from "./testing/complete-in-shell.ts";
import { installParrot } from "./testing/install-extension.ts";
import { runCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
beforeAll(() => installParrot(home()));

const CASES: [typed: string, completed: string][] = [
  ["drydock sess", "drydock session "],
  ["drydock runs li", "drydock runs list "],
  ["drydock exec --works", "drydock exec --workspace "],
  ["drydock do /parr", "drydock do /parrot "],
  ["drydock do --session x /parrot say hi --tone=lou", "drydock do --session x /parrot say hi --tone=loud "],
];

describe.each(["bash", "zsh"] as const)("completion in %s", (shell) => {
  it.skipIf(!hasShell(shell))("completes Drydock's commands and lines of extensions", { timeout: 60_000 }, async () => {
    const quoted = ["drydock do '/parrot sa", 'drydock do "/polly say | /parr'];
    const shown = await completeInShell(shell, home(), [...CASES.map(([typed]) => typed), ...quoted]);
    expect(shown.slice(0, CASES.length)).toEqual(CASES.map(([, completed]) => completed));
    // Whether a blank or the closing quote follows is the shell's affair.
    expect(shown.slice(CASES.length).map((line) => line.replace(/['"]?\s*$/, ""))).toEqual([
      "drydock do '/parrot say",
      'drydock do "/polly say | /parrot',
    ]);
  });

  it("has a script that names every command", async () => {
    const { status, stdout } = await runCli("completion", shell);
    expect(status).toBe(0);
    expect(stdout).toContain('"runs list")');
    expect(stdout).toContain("--complete");
  });
});

describe("drydock do --complete", () => {
  it("prints the word at hand, and what it could be", async () => {
    const { stdout } = await runCli("do", "--complete", "/parrot say x --tone 'l");
    expect(stdout).toBe("'l\n'loud'\tHow to say it.\n'low'\tHow to say it.\n");
  });

  it("knows no other shell", async () => {
    expect((await runCli("completion", "fish")).status).toBe(2);
  });
});
