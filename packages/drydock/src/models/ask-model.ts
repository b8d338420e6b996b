import { hash } from "node:crypto";
import { DrydockError, ModelAnswer, type ModelAnswered, type ModelAsked, type ModelPicture } from "@drydock/protocol";
import type { Documents, Journal } from "./journal.ts";
import type { PromptTemplates } from "./load-templates.ts";
import type { Model, ModelRequest } from "./model.ts";
import { noModelError } from "./no-model.ts";

export interface AskPorts {
  journal: Journal;
  documents: Documents;
  model: Model | null;
  /** The prompt of each request is recorded. */
  prompts: Pick<PromptTemplates, "hashes">;
  now(): number;
  /** Called before anything that costs: throws where the run is to pause. */
  checkpoint(): void;
}

export interface JournaledRequest extends ModelRequest {
  key: string;
}

const SUMMARY_CHARS = 300;

/** A recorded answer is not requested again. */
export async function askModel(ports: AskPorts, question: JournaledRequest): Promise<ModelAnswer> {
  const { journal, documents, model } = ports;
  const { key, step, task } = question;
  const recorded = journal.find("model.answered", key);
  if (recorded) return readAnswer(documents, String(recorded.data.answer));
  ports.checkpoint();
  if (!model) throw noModelError(`${step === "plan" ? "Planning a goal" : "This step"} needs a language model`);
  if (!journal.find("model.asked", key)) {
    const requestEvent: ModelAsked = {
      key,
      step,
      task: task ?? null,
      model: model.id,
      scripted: model.scripted,
      prompt: await documents.file(`${key.replaceAll("/", "-")}.md`, describeRequest(question)),
      templates: ports.prompts.hashes,
    };
    await journal.append([{ type: "model.asked", key, data: requestEvent }]);
  }
  const since = ports.now();
  let answer: ModelAnswer;
  try {
    answer = await model.ask(question);
  } catch (error) {
    if (error instanceof DrydockError && error.code !== "run.cancelled") {
      const data = { key, step, task: task ?? null, error: error.toInfo() };
      await journal.append([{ type: "model.failed", key, data }]);
    }
    throw error;
  }
  const answered: ModelAnswered = {
    key,
    step,
    task: task ?? null,
    model: answer.model,
    answer: await documents.keep(JSON.stringify(answer)),
    summary: summarize(answer),
    usage: answer.usage,
    ...(answer.requests === undefined ? {} : { requests: answer.requests }),
    durationMs: Math.round(ports.now() - since),
    scripted: [...(answer.scriptedBefore ?? []), ...(answer.scripted === undefined ? [] : [answer.scripted])],
  };
  await journal.append([{ type: "model.answered", key, data: answered }]);
  return answer;
}

async function readAnswer(documents: Pick<Documents, "read">, sha256: string): Promise<ModelAnswer> {
  return ModelAnswer.parse(JSON.parse(await documents.read(sha256)));
}

function summarize({ text, toolCalls, writes }: ModelAnswer): string {
  const parts = [
    ...(writes ? [`writes ${writes.map((write) => write.path).join(", ")}`] : []),
    ...toolCalls.map((call) => `calls ${call.name}`),
    ...(text === "" ? [] : [text]),
  ];
  return parts.join("; ").slice(0, SUMMARY_CHARS);
}

/** A record says which picture it was. The picture itself is an artifact of the run that asked. */
function describePicture({ mime, base64 }: ModelPicture): string {
  const bytes = Buffer.from(base64, "base64");
  return `\n\n[picture: ${mime}, ${bytes.length} bytes, sha256 ${hash("sha256", bytes)}]`;
}

function describeRequest({ system, messages, tools, output }: JournaledRequest): string {
  const parts = [`# system\n\n${system}`];
  for (const message of messages) {
    if (message.role === "assistant") {
      const calls = message.toolCalls.map((call) => `\n→ ${call.name} ${JSON.stringify(call.arguments)}`).join("");
      parts.push(`# assistant\n\n${message.text}${calls}`);
    } else if (message.role === "tool") {
      parts.push(`# tool ${message.name}${message.failed ? " (failed)" : ""}\n\n${message.text}`);
    } else parts.push(`# user\n\n${message.text}${(message.pictures ?? []).map(describePicture).join("")}`);
  }
  if (tools) parts.push(`# tools\n\n${tools.map((tool) => tool.name).join(", ")}`);
  if (output) parts.push(`# shape of the answer\n\n${output.name}`);
  return `${parts.join("\n\n")}\n`;
}
