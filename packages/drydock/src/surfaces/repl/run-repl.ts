import { basename } from "node:path";
import { type Dock, loadAgents, loadModelSettings, loadRedactor, readConfig } from "../../app/index.ts";
import { AGENT, type AnyDefinition, createAgents, createReadyMade, prepareAgent } from "../../tasks/index.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { useDock } from "../terminal/use-dock.ts";
import { watchInterrupts } from "../terminal/watch-interrupts.ts";
import { type ReplOptions, startRepl } from "./start-repl.ts";

export interface ReplRequest
  extends Pick<ReplOptions, "language" | "workspace" | "model" | "unsafe" | "policy" | "packages" | "isDebugging"> {
  /** A file of agents. */
  file: string | undefined;
}

/** `drydock repl`: opens what the REPL needs, and gives its exit status. */
export async function runRepl(
  { terminal }: { terminal: Terminal },
  { file, ...request }: ReplRequest,
): Promise<number> {
  const { redactTyped } = await loadRedactor();
  using interrupts = watchInterrupts();
  return useDock(
    async (dock) =>
      startRepl({
        ...request,
        dock,
        terminal,
        input: process.stdin,
        output: process.stdout,
        agents: await collectAgents(dock, file),
        checkAgent,
        modelName: await nameModel(dock, request.model),
        redact: redactTyped(readConfig()),
        signal: interrupts.signal,
      }),
    { warm: 1 },
  );
}

export async function checkAgent(definition: AnyDefinition): Promise<void> {
  prepareAgent(definition);
}

/** Those that come with Drydock, and those of the person's own file, which is the one thing that is loaded as code. */
export async function collectAgents(dock: Dock, file: string | undefined): Promise<AnyDefinition[]> {
  const ready = Object.values(createReadyMade(createAgents(async () => dock).agent));
  const own = file === undefined ? [] : await loadAgents(file, { host: dock });
  return [...ready, ...own].map((agent) => agent[AGENT].definition);
}

/** The model that will be used; a script is shown as such. Null: none. */
async function nameModel({ home }: Dock, model: string | undefined): Promise<string | null> {
  const { readModelSettings } = await loadModelSettings();
  const { spec, detected } = await readModelSettings({ home, environment: readConfig().environment, model });
  const [first] = spec ?? [];
  if (first === undefined) return null;
  if (detected) return `${first} (because ${detected.variable} is set)`;
  return first.startsWith("scripted:") ? `${basename(first)} (scripted)` : first;
}
