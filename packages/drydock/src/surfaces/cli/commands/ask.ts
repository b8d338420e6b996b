import { basename, resolve } from "node:path";
import { type ArtifactRef, DrydockError, EXIT_STATUS } from "@drydock/protocol";
import type { Command } from "commander";
import type { AskOptions, Dock, Session } from "../../../app/index.ts";
import { overlayRequests } from "../../../policy/index.ts";
import { openDebug } from "../../terminal/debug/index.ts";
import { readAttachedFile } from "../../terminal/read-attached-file.ts";
import { createScreen } from "../../terminal/screen.ts";
import { showPictures } from "../../terminal/show-pictures.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import { watchWork } from "../../terminal/watch-work.ts";
import { prepareDirectory } from "../../terminal/write-out.ts";
import type { CommandContext } from "../command-context.ts";
import { readWords } from "../exec/read-code.ts";
import { addFlags, collectText } from "../flags/add-flags.ts";
import { RUN_FLAGS, type RunFlags } from "../flags/run-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";
import { useSession } from "../use-keeper.ts";

interface AskFlags extends Omit<RunFlags, "all"> {
  file?: string[];
  session?: string;
  workspace?: string;
  out?: string;
  model?: string;
  requirements?: string;
  install?: boolean;
}

const { all: _all, ...ASK_FLAGS } = RUN_FLAGS;

/** What all attachments of a question may have together; less in a session or a workspace. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const HELP = `
The model decides whether code is needed, runs it in a sandbox session, looks at the output and
goes on. Code and output are shown as they come; files that the code makes are written to --out,
or else to a temporary directory. Without a model, what is Python code already is run as it is.

Examples:
  $ drydock ask "average every column of data.csv and draw a chart" --file data.csv
  $ drydock ask "which of these files are duplicates?" --workspace .
  $ drydock ask "now as a table" --session last
  $ drydock ask 'print(6 * 7)'

Exit status: 0 with an answer, else that of the error.`;

export function defineCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("ask")
    .summary("answer a question; the model can run code in the sandbox")
    .description("Answers a question. The model can run Python code in the sandbox for it.")
    .argument("<words...>", "what you want to know or have; - reads standard input")
    .option("--file <file>", "a file for the work directory; can be repeated", collectText)
    .option("--session <id>", "a session whose variables and files are used and kept, or last")
    .option("--workspace <dir>", "the directory that the code sees; it is never changed")
    .option("--out <dir>", "write the files that the code makes to this directory; existing files are not replaced")
    .option("--model <id>", "PROVIDER/NAME, or several separated by commas (fallbacks), or scripted:FILE")
    .option("--requirements <file>", "Python packages that the code finds: a requirements.txt")
    .option("--install", "install those that are missing, if the policy allows the package index");
  addFlags(command, ASK_FLAGS)
    .addHelpText("after", HELP)
    .action(async (words: string[], flags: AskFlags) => {
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, context.terminal.closed]);
      const options = { ...(await readOptions(flags)), signal };
      const text = await readWords(words);
      if (flags.out !== undefined) await prepareDirectory(resolve(flags.out));
      const answer = (session?: Session) =>
        useDock((dock) => showAnswer(context, dock, text, { ...options, session }, flags));
      if (flags.session === undefined) return answer();
      await useSession(flags.session, async (keeper, sessionId) => {
        const { openKeptSession } = await (await import("../../../app/index.ts")).loadKeeper();
        await answer(await openKeptSession(keeper, sessionId));
      });
    });
}

async function readOptions(flags: AskFlags): Promise<AskOptions> {
  const { file: files = [], model, install, requirements, session, workspace } = flags;
  if (session !== undefined && workspace !== undefined) {
    const hint = "Leave out --workspace, or open a session with it: drydock session open --workspace DIR.";
    throw new DrydockError(
      "input.invalid",
      "--workspace can't be combined with --session: a session has its own directory.",
      hint,
    );
  }
  if (install && requirements === undefined) {
    const hint = "Name the packages with --requirements FILE, or leave out --install.";
    throw new DrydockError("input.invalid", "--install has nothing to install.", hint);
  }
  const attachments = await Promise.all(
    files.map(async (path) => ({ name: basename(path), content: await readAttachedFile(path, path, MAX_FILE_BYTES) })),
  );
  const policy = await readRunPolicy(flags);
  return {
    ...{ attachments, model, install, requirements },
    workspace: workspace === undefined ? undefined : resolve(workspace),
    policy: flags.unsafe ? overlayRequests(policy, { python: { guard: "off" } }) : policy,
  };
}

async function showAnswer(
  context: CommandContext,
  dock: Dock,
  words: string,
  options: AskOptions,
  { json = false, debug: isDebugging = false, out }: AskFlags,
): Promise<void> {
  const { terminal } = context;
  if (json) {
    const result = await dock.ask(words, options);
    terminal.out(`${JSON.stringify(result)}\n`);
    context.status = result.error ? EXIT_STATUS[result.error.code] : 0;
    if (out !== undefined) await saveFiles(context, dock, result.artifacts, out);
    return;
  }
  const screen = createScreen(terminal);
  const debug = openDebug({ err: screen.aside, errColors: terminal.errColors }, dock);
  const work = watchWork({ screen, debug, isDebugging }, { showsWords: true });
  const result = await dock.ask(words, { ...options, ...work.listeners });
  await work.end();
  if (result.error && result.error.message !== work.shownError()) screen.error(result.error);
  if (!work.hasWords()) screen.words(result.text);
  screen.endStream();
  context.status = result.error ? EXIT_STATUS[result.error.code] : 0;
  await saveFiles(context, dock, result.artifacts, out);
}

/** An answer whose files are not where they were wanted is not all that was asked for. */
async function saveFiles(
  context: CommandContext,
  dock: Dock,
  artifacts: readonly ArtifactRef[],
  out: string | undefined,
): Promise<void> {
  const saved = await showPictures(context.terminal, dock, artifacts, out === undefined ? undefined : resolve(out));
  if (saved.length < artifacts.length && context.status === 0) context.status = EXIT_STATUS["input.invalid"];
}
