import { countWord, DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { createOutputFilter } from "../../../terminal/filter-output.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { useDock, useRecords } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption, parseLimit } from "../../flags/add-flags.ts";
import { renderResponses } from "../../render/render-responses.ts";

interface ResponseFlags {
  session: string;
  limit: number;
  json?: boolean;
}

const HELP = `
What extensions answered is kept for 24 hours, by session, the first megabyte of each as text.
Later calls can use it: {{ last.text }}, {{ last.json.name }}, {{ history[1].json.items[0] }}.

Examples:
  $ drydock responses list --session work
  $ drydock responses show
  $ drydock responses clear --session work`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  const responses = program
    .command("responses")
    .summary("what extensions answered: list, show, clear")
    .description("Responses of extensions that are still kept.")
    .addHelpText("afterAll", HELP);
  addSession(responses.command("list"))
    .description("Lists the responses of a session, the newest first, and counts them.")
    .option("--limit <count>", "how many at most", parseLimit, 20)
    .action(async ({ session, limit, json }: ResponseFlags) => {
      const found = await useRecords(async ({ extensions }) => ({
        responses: await extensions.responses.history(session, { limit }),
        totals: await extensions.responses.totals(session),
      }));
      terminal.out(json ? `${JSON.stringify(found)}\n` : renderResponses(found, terminal));
    });
  addSession(responses.command("show"))
    .description("Prints a response; without an id, the last one of the session.")
    .argument("[id]", "the response")
    .action(async (id: string | undefined, { session, json }: ResponseFlags) => {
      const found = await useRecords(async ({ extensions }) =>
        id === undefined ? extensions.responses.last(session) : extensions.responses.read(id),
      );
      if (!found) throw noResponse(id, session);
      terminal.out(json ? `${JSON.stringify(found)}\n` : showText(found.text, terminal));
      if (!json && found.artifact)
        terminal.err(`the whole of it: ${found.artifact.id}, ${countWord(found.size, "byte")}\n`);
    });
  addSession(responses.command("clear"))
    .description("Removes the responses of a session.")
    .action(async ({ session, json }: ResponseFlags) => {
      const removed = await useDock((dock) => dock.extensions.responses.clear(session));
      terminal.out(json ? `${JSON.stringify({ removed })}\n` : `${removed} removed.\n`);
    });
}

function addSession(command: Command): Command {
  return command.option("--session <id>", "the session", "default").addOption(jsonOption());
}

/** What a tool or a page said may drive a terminal, but for its colours; a program gets it as it is. */
function showText(text: string, { isOutputTerminal }: Terminal): string {
  if (!isOutputTerminal) return text;
  const filter = createOutputFilter();
  const shown = filter.write(text) + filter.end();
  return shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`;
}

function noResponse(id: string | undefined, session: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    id === undefined ? `The session ${session} has no response.` : `There is no response ${id}.`,
    "Responses are kept for 24 hours; `drydock responses list --session ID` shows those there are.",
  );
}
