import { readConfig } from "../../app/index.ts";
import { createRedactor } from "../../ledger/index.ts";
import type { CommandContext } from "../cli/command-context.ts";
import { useDock } from "../cli/use-dock.ts";
import { watchInterrupts } from "../cli/watch-interrupts.ts";
import { type ReplOptions, startRepl } from "./start-repl.ts";

export interface ReplRequest extends Pick<ReplOptions, "language" | "workspace" | "model" | "unsafe" | "isDebugging"> {
  /** A file of agents. */
  file: string | undefined;
}

/** `drydock repl`: opens what the REPL needs, and gives its exit status. */
export async function runRepl({ terminal }: CommandContext, { file, ...request }: ReplRequest): Promise<number> {
  const config = readConfig();
  const { text: redact } = createRedactor({
    environment: config.environment,
    allowedNames: () => false,
    patterns: config.redact,
  });
  using interrupts = watchInterrupts();
  return useDock(
    async (dock) =>
      startRepl({
        ...request,
        dock,
        terminal,
        input: process.stdin,
        output: process.stdout,
        agents: await loadAgents(file),
        checkAgent: async () => {},
        modelName: request.model ?? null,
        redact,
        signal: interrupts.signal,
      }),
    { warm: 1 },
  );
}

async function loadAgents(_file: string | undefined) {
  return [];
}
