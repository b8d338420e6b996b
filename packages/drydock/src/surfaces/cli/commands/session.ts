import { resolve } from "node:path";
import { countWord, DrydockError } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { KeeperClient, SessionOptions } from "../../../app/index.ts";
import { renderRollback, renderSession, renderSessions, renderTotals } from "../../terminal/render/render-sessions.ts";
import { useRecords } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { openAnswers } from "../exec/open-answers.ts";
import { readCode, STEP_HINT } from "../exec/read-code.ts";
import { showResult } from "../exec/show-result.ts";
import { addRunFlags, flagOption, jsonOption, parseCount } from "../flags/add-flags.ts";
import { RUN_FLAGS, type RunFlags } from "../flags/run-flags.ts";
import { refuse } from "../goal/refuse.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { showReading } from "../show-reading.ts";
import { useKeeper, useSession, useStartedKeeper } from "../use-keeper.ts";

interface OpenFlags extends RunFlags {
  lang?: SessionOptions["language"];
  workspace?: string;
}

const HELP = `
A session is an interpreter whose variables and files last from step to step. A step that
fails leaves both as they were. A keeper process holds the sessions of a home; it starts
with the first and ends with the last. Wherever an id is expected, \`last\` is the open
session that was opened last.

Examples:
  $ drydock session open --workspace .
  $ drydock session exec last -c 'x = 41'
  $ drydock session exec last -c 'x + 1'
  $ drydock session rollback last --to 1
  $ drydock session fork last 3
  $ drydock session close last
  $ drydock session close --all`;

export function defineCommand(program: Command, context: CommandContext): void {
  const session = program
    .command("session")
    .summary("interpreters that keep variables and files: open, list, exec, rollback, fork, close, stats")
    .description("Interpreters that keep variables and files from step to step.")
    .addHelpText("afterAll", HELP);
  defineOpen(session, context);
  defineExec(session, context);
  defineLooks(session, context);
  defineRollback(session, context);
  defineFork(session, context);
  defineClose(session, context);
}

function defineOpen(session: Command, { terminal }: CommandContext): void {
  session
    .command("open")
    .description("Opens a session and prints its id.")
    .addOption(new Option("--lang <language>", "the language (default: python)").choices(["python", "node"]))
    .option("--workspace <dir>", "the directory that the steps see; without one, an empty scratch directory")
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .addOption(flagOption("upstream", RUN_FLAGS.upstream))
    .addOption(jsonOption())
    .action(async ({ lang, workspace, json, policy, upstream }: OpenFlags) => {
      const options: SessionOptions = {
        language: lang,
        workspace: workspace === undefined ? undefined : resolve(workspace),
        policy: await readRunPolicy({ policy, upstream }),
      };
      using interrupts = watchInterrupts();
      const reading = showReading(terminal);
      const watched = { ...options, signal: interrupts.signal, onReading: reading.update };
      const info = await useStartedKeeper((keeper) => keeper.open(watched)).finally(reading.end);
      terminal.out(json ? `${JSON.stringify(info)}\n` : `${info.sessionId}\n`);
    });
}

function defineExec(session: Command, context: CommandContext): void {
  const command = session
    .command("exec")
    .description("Runs code as the next step of a session.")
    .usage("[options] ID (-c CODE | FILE | -)")
    .argument("<id>", "the session's id, or last")
    .argument("[file]", "the code; - reads standard input")
    .option("-c, --code <code>", "the code itself");
  addRunFlags(command).action(async (id: string, file: string | undefined, flags: RunFlags & { code?: string }) => {
    const { code } = await readCode(flags.code, file, STEP_HINT);
    const policy = await readRunPolicy(flags);
    const answers = openAnswers(context, { ...flags, file });
    await showResult(context, flags, async (watching, show) => {
      const step = { policy, unsafe: flags.unsafe, onInput: answers?.answer, ...watching };
      const result = await useSession(id, (keeper, sessionId) => keeper.exec(sessionId, code, step));
      answers?.close();
      await show(result);
    });
  });
}

function defineLooks(session: Command, { terminal }: CommandContext): void {
  session
    .command("list")
    .description("Lists the open sessions.")
    .addOption(jsonOption())
    .addOption(new Option("--complete", "print one candidate a line, for a shell").hideHelp())
    .action(async ({ json, complete }: RunFlags & { complete?: boolean }) => {
      const sessions = await useKeeper(async (keeper) => (await keeper?.list()) ?? []);
      if (complete) {
        if (sessions.length > 0) terminal.out("last\tthe session that was opened last\n");
        for (const each of sessions) terminal.out(`${each.sessionId}\t${each.language}, opened ${each.createdAt}\n`);
        return;
      }
      terminal.out(json ? `${JSON.stringify(sessions)}\n` : renderSessions(sessions, terminal));
    });
  session
    .command("stats")
    .description("Shows figures of one session, or totals of all of them.")
    .argument("[id]", "the session's id, or last")
    .addOption(jsonOption())
    .action(async (id: string | undefined, { json }: RunFlags) => {
      if (id === undefined) {
        const totals = await useKeeper((keeper) => keeper?.totals() ?? useRecords((dock) => dock.sessions.totals()));
        terminal.out(json ? `${JSON.stringify(totals)}\n` : renderTotals(totals));
      } else {
        const info = await useSession(id, (keeper, sessionId) => keeper.stats(sessionId));
        terminal.out(json ? `${JSON.stringify(info)}\n` : renderSession(info));
      }
    });
}

function defineRollback(session: Command, { terminal }: CommandContext): void {
  session
    .command("rollback")
    .description("Returns variables and files to what they were after an earlier step.")
    .argument("<id>", "the session's id, or last")
    .option("--to <step>", "the step to return to; 0 is before the first (default: undo the last)", parseCount)
    .addOption(jsonOption())
    .action(async (id: string, { to, json }: RunFlags & { to?: number }) => {
      using interrupts = watchInterrupts();
      const done = await useSession(id, async (keeper, sessionId) => ({
        sessionId,
        ...(await keeper.rollback(sessionId, to, { signal: interrupts.signal })),
      }));
      terminal.out(json ? `${JSON.stringify(done)}\n` : renderRollback(done));
    });
}

function defineFork(session: Command, { terminal }: CommandContext): void {
  session
    .command("fork")
    .description("Copies a session, each copy in a sandbox of its own, and prints the ids of the copies.")
    .argument("<id>", "the session's id, or last")
    .argument("[count]", "how many copies (default: 1)", parseCount)
    .addOption(jsonOption())
    .action(async (id: string, count: number | undefined, { json }: RunFlags) => {
      const forks = await useSession(id, (keeper, sessionId) => keeper.fork(sessionId, count));
      terminal.out(json ? `${JSON.stringify(forks)}\n` : forks.map(({ sessionId }) => `${sessionId}\n`).join(""));
    });
}

function defineClose(session: Command, { terminal }: CommandContext): void {
  session
    .command("close")
    .description("Ends a session and discards its variables and files.")
    .usage("[options] (ID | --all)")
    .argument("[id]", "the session's id, or last")
    .option("--all", "every open session of this home")
    .addOption(jsonOption())
    .action(async (id: string | undefined, { all = false, json }: RunFlags & { all?: boolean }) => {
      refuse(all && id !== undefined, "Both an id and --all are given.", "Give one of them.");
      if (all) {
        const closed = await useKeeper(async (keeper) => (keeper ? closeAll(keeper) : []));
        terminal.out(json ? `${JSON.stringify({ closed })}\n` : `Closed ${countWord(closed.length, "session")}.\n`);
        return;
      }
      const named = id ?? "";
      refuse(named === "", "No session is named.", "Give its id, or last, or --all.");
      const sessionId = await useSession(named, async (keeper, foundId) => {
        await keeper.close(foundId);
        return foundId;
      });
      if (json) terminal.out(`${JSON.stringify({ sessionId, closed: true })}\n`);
    });
}

/** Closes the sessions that are open now. One that ends by itself meanwhile is closed as well. */
async function closeAll(keeper: KeeperClient): Promise<string[]> {
  const ids = (await keeper.list()).map(({ sessionId }) => sessionId);
  for (const sessionId of ids) {
    await keeper.close(sessionId).catch((error: unknown) => {
      if (!(error instanceof DrydockError && error.code.startsWith("session."))) throw error;
    });
  }
  return ids;
}
