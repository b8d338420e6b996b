import type { CapabilityCall, DrydockRunner, RunnerOutcome, RunnerPorts } from "../../ports.ts";
import { excerpt } from "./analysis-finding.ts";
import { writeAnalysisPrompt } from "./analysis-prompt.ts";
import { analyzePlainly, type PlainAnalysis, writeAnalysis } from "./plain-analysis.ts";
import { readSubject, type Subject } from "./read-subject.ts";
import { strikeUndeclared } from "./strike-undeclared.ts";
import type { CheckedAnswer } from "./struck-command.ts";

const MAX_NAMED = 20;

/**
 * What a response holds. With a model: its words, grounded in the usage document and the response, without the commands
 * that are not declared. Without one, or where it can't be reached: what can be counted.
 */
export const analyzeResponse: DrydockRunner = async (call, ports) => {
  const subject = readSubject(call);
  const analysis = analyzePlainly(subject);
  const facts = writeAnalysis(analysis, subject.origin);
  if (ports.askModel === null) return plainOutcome(analysis, facts, []);
  try {
    const held = await askAboutResponse(call, ports, ports.askModel, subject, facts);
    return modelOutcome(analysis, held);
  } catch (error) {
    if (call.signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return plainOutcome(analysis, facts, [
      `The model could not be asked (${excerpt(reason)}): this is a plain analysis.`,
    ]);
  }
};

async function askAboutResponse(
  call: CapabilityCall,
  ports: RunnerPorts,
  ask: NonNullable<RunnerPorts["askModel"]>,
  subject: Subject,
  facts: string,
): Promise<CheckedAnswer> {
  const declared = await ports.declared();
  const question = typeof call.values.question === "string" ? call.values.question : "";
  const answer = await ask(writeAnalysisPrompt({ subject, usage: call.extension.usage, facts, declared, question }));
  return strikeUndeclared(answer, { actions: declared, refusal: (line) => ports.refusal(line) });
}

function modelOutcome(analysis: PlainAnalysis, { text, struck }: CheckedAnswer): RunnerOutcome {
  const notes = struck.slice(0, MAX_NAMED).map(({ line, reason }) => `Struck out of the answer: ${line} (${reason})`);
  if (struck.length > MAX_NAMED) notes.push(`Struck out of the answer: ${struck.length - MAX_NAMED} more`);
  return outcome(`${text.trimEnd()}\n`, "text/markdown", { analysis, byModel: true, struck }, notes);
}

function plainOutcome(analysis: PlainAnalysis, facts: string, notes: string[]): RunnerOutcome {
  return outcome(facts, "text/plain", { analysis, byModel: false, struck: [] }, notes);
}

function outcome(text: string, mime: string, metadata: Record<string, unknown>, notes: string[]): RunnerOutcome {
  return { ok: true, content: Buffer.from(text), mime, error: null, artifacts: [], metadata, notes };
}
