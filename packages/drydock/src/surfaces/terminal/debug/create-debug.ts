import type { RunEvent } from "@drydock/protocol";
import type { Dock, ShowPolicyOptions } from "../../../app/index.ts";
import { type BackendFacts, describeReport } from "../../../sandbox/index.ts";
import type { Colors } from "../terminal.ts";
import { readContainmentSteps } from "./read-containment-steps.ts";
import { renderDebugEvent } from "./render-debug-event.ts";
import { renderPolicySources } from "./render-policy-sources.ts";

/** What `--debug` shows, on stderr: everything that is on record, as it comes, and where the policy comes from. */
export interface Debug {
  /** An event as it is recorded. */
  take(event: RunEvent): void;
  /** All events of a run that has ended, of which none was taken. */
  showRun(runId: string): Promise<void>;
  /** Which value comes from where. */
  showPolicy(options: ShowPolicyOptions): Promise<void>;
  /** Resolves once all that was taken has been shown. */
  settled(): Promise<void>;
}

export interface DebugOptions {
  dock: Pick<Dock, "runs" | "policies">;
  write(text: string): void;
  colors: Colors;
}

const MAX_PROMPT_BYTES = 64 * 1024;

/**
 * Only what the ledger holds is shown, and the ledger holds no secrets: they are taken out before anything is stored,
 * and prompts are read back from there.
 */
export function createDebug({ dock, write, colors }: DebugOptions): Debug {
  const firstAt = new Map<string, number>();
  const stepsShown = new Set<BackendFacts>();
  let turn: Promise<void> = Promise.resolve();

  async function show(event: RunEvent): Promise<void> {
    const at = Date.parse(event.at);
    if (!firstAt.has(event.runId)) firstAt.set(event.runId, at);
    const prompt = event.type === "model.asked" ? await readPrompt(String(event.data.prompt)) : undefined;
    const steps = await findSteps(event);
    write(renderDebugEvent(event, { sinceMs: at - (firstAt.get(event.runId) ?? at), prompt, steps }, colors));
  }

  /** Once for each way of confining: they are the same for all runs. */
  async function findSteps({ data: { sandbox } }: RunEvent): Promise<string[]> {
    const { backend, level } = Object(sandbox) as { backend?: string; level?: string };
    const facts = describeReport({ backend: String(backend), level: String(level) });
    if (facts === undefined || stepsShown.has(facts)) return [];
    stepsShown.add(facts);
    return readContainmentSteps(facts);
  }

  /** Prompts come from a file, and events must not overtake each other. */
  function inTurn(act: () => Promise<void>): Promise<void> {
    turn = turn.then(act).catch((error: unknown) => {
      write(colors.dim(`debug: ${error instanceof Error ? error.message : String(error)}\n`));
    });
    return turn;
  }

  async function readPrompt(artifact: string): Promise<string> {
    const bytes = await dock.runs.readArtifact(artifact, { start: 0, end: MAX_PROMPT_BYTES - 1 });
    return Buffer.from(bytes).toString();
  }

  return {
    take: (event) => void inTurn(() => show(event)),
    showRun: (runId) =>
      inTurn(async () => {
        let afterSeq: number | undefined;
        for (;;) {
          const events = await dock.runs.events(runId, { afterSeq });
          if (events.length === 0) return;
          for (const event of events) await show(event);
          afterSeq = events.at(-1)?.seq;
        }
      }),
    showPolicy: ({ workspace, policy, preset, unsafe }) =>
      inTurn(async () => {
        const { rows } = await dock.policies.show({ workspace, policy, preset, unsafe });
        write(renderPolicySources(rows, colors));
      }),
    settled: () => turn,
  };
}
