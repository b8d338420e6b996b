import { DrydockError, type ModelAnswer, Script, type ScriptedAnswer } from "@drydock/protocol";
import { shortenLine } from "../base/text/index.ts";
import { parseYaml, readYamlText } from "../base/yaml-files/index.ts";
import { askUntilUsable, type Draft } from "./correct-answer.ts";
import type { Model, ModelRequest } from "./model.ts";
import { countInputChars, estimateTokens, NO_USAGE } from "./usage.ts";

export interface ScriptedOptions {
  used?: ReadonlyMap<number, number>;
  corrections?: number;
}

const ID = "scripted";
/** Scripts cost nothing, so that budgets in tokens can be tried with them. */
const FREE = { input: 0, output: 0 };

/** Answers from a file, named as such wherever it appears. */
export async function createScriptedModel(file: string, options: ScriptedOptions = {}): Promise<Model> {
  const text = await readYamlText(file, { what: "script", maxBytes: 16 * 1024 * 1024 });
  if (text === null) {
    const hint =
      "Correct its path after scripted:, or write one: answers: [{ when: { step: work }, writes: [{ path: a.txt, content: hi }] }]";
    throw new DrydockError("model.unavailable", `${file}: there is no such script.`, hint, { model: ID, file });
  }
  const { answers } = await parseYaml(file, text, Script);
  return playScript(file, answers, options);
}

function playScript(
  file: string,
  answers: readonly ScriptedAnswer[],
  { used, corrections = 2 }: ScriptedOptions,
): Model {
  const uses = new Map(used);
  const take = (request: ModelRequest, taken: number[]): { answer: ScriptedAnswer; index: number; use: number } => {
    for (const [index, answer] of answers.entries()) {
      const use = uses.get(index) ?? 0;
      if (!fits(answer, request) || (answer.repeat !== "always" && use >= answer.repeat)) continue;
      uses.set(index, use + 1);
      taken.push(index);
      return { answer, index, use };
    }
    throw nothingFits(file, answers, uses, request, taken);
  };
  return {
    id: ID,
    scripted: true,
    async ask(request) {
      const taken: number[] = [];
      let last: ScriptedAnswer | undefined;
      const answer = await askUntilUsable(ID, request, corrections, async (one) => {
        refuseCancelled(one);
        const inputTokens = estimateTokens(countInputChars(one));
        const { maxOutputTokens, signal, meter } = one;
        const held = await meter?.reserve({ model: ID, price: FREE, inputTokens, maxOutputTokens, signal });
        let usage = NO_USAGE;
        try {
          const chosen = take(one, taken);
          last = chosen.answer;
          const draft = play(file, chosen, one, taken, inputTokens);
          usage = draft.usage;
          return draft;
        } finally {
          held?.settle(usage);
        }
      }).catch((error: unknown) => {
        throw nameTaken(error, taken);
      });
      return finishAnswer(answer, last, taken);
    },
  };
}

/** Which answers were used up belongs to the record, also where nothing came of it. */
function nameTaken(error: unknown, taken: readonly number[]): unknown {
  if (!(error instanceof DrydockError) || taken.length === 0) return error;
  return new DrydockError(error.code, error.message, error.hint, { ...error.data, scripted: [...taken] });
}

function finishAnswer(answer: ModelAnswer, last: ScriptedAnswer | undefined, taken: readonly number[]): ModelAnswer {
  const before = taken.slice(0, -1);
  const index = taken.at(-1);
  return {
    ...answer,
    ...(last?.json === undefined ? {} : { json: last.json }),
    ...(last?.writes === undefined ? {} : { writes: last.writes }),
    ...(index === undefined ? {} : { scripted: index }),
    ...(before.length === 0 ? {} : { scriptedBefore: before }),
  };
}

function fits({ when = {} }: ScriptedAnswer, request: ModelRequest): boolean {
  if (when.step !== undefined && when.step !== request.step) return false;
  if (when.task !== undefined && when.task !== request.task) return false;
  const { contains } = when;
  if (contains === undefined) return true;
  return request.system.includes(contains) || request.messages.some(({ text }) => text.includes(contains));
}

function play(
  file: string,
  { answer, index, use }: { answer: ScriptedAnswer; index: number; use: number },
  request: ModelRequest,
  taken: readonly number[],
  inputTokens: number,
): Draft {
  if (answer.error !== undefined) {
    const hint = `The script says so: ${file}, answer ${index}.`;
    const data = { model: ID, provider: ID, status: null, attempts: taken.length };
    throw new DrydockError("model.failed", `scripted: ${answer.error}`, hint, data);
  }
  const text = answer.text ?? (answer.json === undefined ? "" : JSON.stringify(answer.json));
  const toolCalls = (answer.toolCalls ?? []).map((call, position) => ({
    id: `call_${index}_${use}_${position}`,
    name: call.name,
    input: JSON.stringify(call.arguments),
  }));
  const outputChars = text.length + JSON.stringify([answer.toolCalls ?? [], answer.writes ?? []]).length;
  const usage = { ...NO_USAGE, inputTokens, outputTokens: estimateTokens(outputChars) };
  if (text !== "") request.onText?.(text);
  const finish = toolCalls.length > 0 ? "tools" : "stop";
  return { text, toolCalls, finish, usage, requests: 1, final: answer.writes !== undefined };
}

function refuseCancelled({ signal }: ModelRequest): void {
  if (!signal?.aborted) return;
  const hint = "Ask again when you want to go on.";
  throw new DrydockError("run.cancelled", "scripted: the request was cancelled.", hint, { model: ID });
}

function nothingFits(
  file: string,
  answers: readonly ScriptedAnswer[],
  uses: ReadonlyMap<number, number>,
  { step, task, messages }: ModelRequest,
  taken: readonly number[],
): DrydockError {
  const left = answers.flatMap((answer, index) => {
    const rest = answer.repeat === "always" ? Number.POSITIVE_INFINITY : answer.repeat - (uses.get(index) ?? 0);
    return rest > 0 ? [describeLeft(answer, index)] : [];
  });
  const requestText = `step ${step}${task === undefined ? "" : `, task ${task}`}, last message: ${JSON.stringify(shortenLine(messages.at(-1)?.text ?? "", 200))}`;
  const rest = left.length === 0 ? "The script has none left" : `Left in the script: ${left.slice(0, 10).join("; ")}`;
  const more = left.length > 10 ? `; and ${left.length - 10} more` : "";
  return new DrydockError(
    "model.failed",
    `scripted: no answer of ${file} fits this request (${requestText}). ${rest}${more}.`,
    "Add an answer for it to the script, or raise the `repeat` of one that fits.",
    {
      model: ID,
      provider: ID,
      status: null,
      attempts: taken.length,
      step,
      ...(task === undefined ? {} : { task }),
      left,
    },
  );
}

function describeLeft({ when = {} }: ScriptedAnswer, index: number): string {
  const words = Object.entries(when).map(
    ([name, value]) => `${name} ${name === "contains" ? JSON.stringify(shortenLine(value, 60)) : value}`,
  );
  return `answer ${index} (${words.length === 0 ? "any request" : words.join(", ")})`;
}

/** How often each scripted answer was used, from recorded answers and from the data of recorded failures. */
export function countScriptedUses(
  records: Iterable<{ scripted?: number | readonly number[]; scriptedBefore?: readonly number[] }>,
): Map<number, number> {
  const uses = new Map<number, number>();
  for (const { scripted = [], scriptedBefore = [] } of records) {
    for (const index of [scripted, scriptedBefore].flat()) uses.set(index, (uses.get(index) ?? 0) + 1);
  }
  return uses;
}
