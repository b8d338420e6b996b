import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DrydockError, type PolicyDocument, type StepResult } from "@drydock/protocol";
import type { OutputChunk, Session, StepOptions } from "../../app/index.ts";

/** In the source tree and in the build alike, the Python files lie beside the module that reads them. */
export const PYTHON_FILES = join(import.meta.dirname, "jupyter-kernel");

const LOOK_LIMITS: PolicyDocument = { limits: { wallSeconds: 3, cpuSeconds: 3 } };

export type Question = "complete" | "inspect" | "is_complete";

/** The session behind a notebook. It is opened with the first use, and once more where it has ended. */
export interface NotebookSession {
  /** The version of the Python inside; null where no session could be opened, which the next cell explains. */
  pythonVersion(): Promise<string | null>;
  run(code: string, cell: number, watch: CellWatch): Promise<StepResult>;
  /** Asks `look.py`. Changes nothing; null where there is no answer. */
  look(question: Question, code: string, position: number, detail?: number): Promise<unknown>;
  /** A traceback with cells in place of steps. */
  nameCells(traceback: string): string;
  close(): Promise<void>;
}

export interface CellWatch extends Pick<StepOptions, "onInput"> {
  signal: AbortSignal;
  onOutput(chunk: OutputChunk): void;
}

interface Opened {
  session: Session;
  pythonVersion: string;
  /** Which cell the interpreter inside knows as `<step N>`. */
  cells: Map<number, number>;
  /** The number that the next step is likely to have. */
  nextStep: number;
  note: string | null;
}

export function createNotebookSession(open: () => Promise<Session>): NotebookSession {
  let opened: Promise<Opened> | null = null;
  let cells = new Map<number, number>();

  function current(): Promise<Opened> {
    opened ??= prepare(open);
    // A session that could not be opened is tried again with the next cell.
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }

  return {
    pythonVersion: async () => (await current().catch(() => null))?.pythonVersion ?? null,
    async run(code, cell, watch) {
      const at = await current();
      cells = at.cells;
      cells.set(at.nextStep, cell);
      if (at.note !== null) watch.onOutput({ stream: "stderr", text: at.note });
      at.note = null;
      try {
        const result = await at.session.exec(code, watch);
        cells.set(result.step, cell);
        at.nextStep = result.step + 1;
        return result;
      } catch (error) {
        if (!(error instanceof DrydockError) || error.code !== "session.not_found") throw error;
        opened = null;
        const hint = "Run the notebook from its top: the next cell starts in a new session.";
        throw new DrydockError("session.not_found", `${error.message} Its variables are gone.`, hint, error.data);
      }
    },
    async look(question, code, position, detail = 0) {
      const { session } = await current();
      const words = [question, code, position, detail].map(toPython).join(", ");
      const { ok, stdout } = await session.exec(`${readSource("look.py")}\n_drydock_look(${words})`, {
        look: true,
        policy: LOOK_LIMITS,
      });
      return ok ? (JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "null") as unknown) : null;
    },
    nameCells: (traceback) =>
      traceback.replaceAll(/File "<step (\d+)>"/g, (whole, step) => {
        const cell = cells.get(Number(step));
        return cell === undefined ? whole : `Cell In[${cell}]`;
      }),
    async close() {
      const { session } = (await opened?.catch(() => null)) ?? {};
      await session?.close();
    },
  };
}

async function prepare(open: () => Promise<Session>): Promise<Opened> {
  const session = await open();
  const plain = { session, pythonVersion: "3", cells: new Map<number, number>(), nextStep: 1 };
  try {
    const { ok, stdout, error } = await session.exec(readSource("prelude.py"), { unsafe: true });
    if (ok) return { ...plain, pythonVersion: stdout.trim(), nextStep: 2, note: null };
    return { ...plain, note: explainPlain(error?.message) };
  } catch (error) {
    return { ...plain, note: explainPlain(error instanceof Error ? error.message : String(error)) };
  }
}

function explainPlain(reason = "for an unknown reason"): string {
  return `note: values are shown as plain text only, since this session could not be prepared for more: ${reason}\n`;
}

/** What JSON calls a string or a whole number, Python reads as the same. */
function toPython(value: string | number): string {
  return JSON.stringify(typeof value === "string" ? value.toWellFormed() : Math.trunc(value));
}

function readSource(name: string): string {
  return readFileSync(join(PYTHON_FILES, name), "utf8");
}
