import { beforeAll, describe, expect, it } from "vitest";
import { completeInFish, completeInShell, hasShell } from "./testing/complete-in-shell.ts";
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

const VALUES: [typed: string, completed: string][] = [
  ["drydock runs list --kind go", "drydock runs list --kind goal "],
  ["drydock runs list --kind=go", "drydock runs list --kind=goal "],
  ["drydock verify --format jun", "drydock verify --format junit "],
  ["drydock token create --scope adm", "drydock token create --scope admin "],
  ["drydock policy unset limits.wallSeconds.m", "drydock policy unset limits.wallSeconds.max "],
  ["drydock policy set python.g", "drydock policy set python.guard"],
  ["drydock policy deny netw", "drydock policy deny network "],
  ["drydock token revoke dashb", "drydock token revoke dashboard "],
  ["drydock run --model olla", "drydock run --model ollama/mine "],
  ["drydock runs show la", "drydock runs show last "],
  ["drydock completion zs", "drydock completion zsh "],
];

async function prepareValues(): Promise<void> {
  await runCli("token", "create", "--name", "dashboard");
  await runCli("model", "add", "ollama/mine");
  await runCli("exec", "-c", "1");
}

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

  it.skipIf(!hasShell(shell))("completes ids of runs, of those that are on record", { timeout: 60_000 }, async () => {
    const { runId } = JSON.parse((await runCli("exec", "-c", "1", "--json")).stdout) as { runId: string };
    const typed = runId.slice(0, -4);
    const shown = await completeInShell(shell, home(), [
      `drydock runs show ${typed}`,
      `drydock replay ${typed}`,
      `drydock run --follow ${typed}`,
      "drydock runs show --js",
    ]);
    expect(shown).toEqual([
      `drydock runs show ${runId} `,
      `drydock replay ${runId} `,
      `drydock run --follow ${runId} `,
      "drydock runs show --json ",
    ]);
  });

  it.skipIf(!hasShell(shell))(
    "completes values: of options, policies, tokens, models",
    { timeout: 60_000 },
    async () => {
      await prepareValues();
      const shown = await completeInShell(
        shell,
        home(),
        VALUES.map(([typed]) => typed),
      );
      expect(shown).toEqual(VALUES.map(([, completed]) => completed));
    },
  );

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
    expect((await runCli("completion", "tcsh")).status).toBe(2);
  });
});

describe("completion in fish", () => {
  it("has a script that names every command, its words, its options and where ids of runs stand", async () => {
    const { status, stdout } = await runCli("completion", "fish");
    expect(status).toBe(0);
    expect(stdout).toContain("'runs list'");
    expect(stdout).toMatch(/^complete -c drydock -n '__drydock_at \\'runs\\'' -f -a 'list show .*'$/m);
    expect(stdout).toContain(`complete -c drydock -n '__drydock_at \\'runs show\\'' -f -a "(__drydock_list runs)"`);
    expect(stdout).toContain(`complete -c drydock -n '__drydock_at \\'exec\\'' -l workspace -r\n`);
    expect(stdout).toContain(`'__drydock_at \\'runs list\\'' -l kind -x -a 'exec session`);
    expect(stdout).toContain(`'__drydock_at \\'policy unset\\'' -f -a 'files.access files.access.max`);
    expect(stdout).toContain(`complete -c drydock -n "__drydock_at do" -f -a "(__drydock_do)"`);
  });

  it.skipIf(!hasShell("fish"))("is read by fish, and completes", { timeout: 60_000 }, async () => {
    await prepareValues();
    const { runId } = JSON.parse((await runCli("exec", "-c", "1", "--json")).stdout) as { runId: string };
    const typed = runId.slice(0, -4);
    const cases: [line: string, offered: RegExp][] = [
      ["drydock sess", /^session\b/],
      ["drydock runs li", /^list\b/],
      ["drydock exec --works", /^--workspace\b/],
      [`drydock runs show ${typed}`, new RegExp(`^${runId}\\b`)],
      [`drydock replay ${typed}`, new RegExp(`^${runId}\\b`)],
      [`drydock run --follow ${typed}`, new RegExp(`^${runId}\\b`)],
      ["drydock do /parr", /^\/parrot\b/],
      ["drydock do '/parrot sa", /^\/parrot say\b/],
      ["drydock ", /^runs$/m],
      ...VALUES.filter(([typed]) => !typed.includes("=")).map(([typed, completed]): [string, RegExp] => [
        typed,
        new RegExp(`^${completed.trim().split(" ").at(-1)}`, "m"),
      ]),
    ];
    const offered = completeInFish(
      home(),
      cases.map(([line]) => line),
    );
    for (const [index, [line, wanted]] of cases.entries())
      expect({ line, offered: offered[index] }).toEqual({ line, offered: expect.stringMatching(wanted) });
  });
});
