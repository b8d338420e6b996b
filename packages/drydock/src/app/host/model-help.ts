import { readText } from "@drydock/protocol/runner";
import type { HostPorts, RunRecord } from "../../host/index.ts";
import { countTokens, rerankDocuments } from "../../models/index.ts";
import { type EnvironmentVariables, readEndpoints } from "../models/index.ts";
import type { RunSpendings } from "./run-spending.ts";

interface ModelHelpPorts {
  home: string;
  environment: EnvironmentVariables;
  spendings: Pick<RunSpendings, "of">;
}

/** Ranking and counting for runners, with the providers of `config.yaml` as they are at that moment. */
export function createModelHelp({ home, environment, spendings }: ModelHelpPorts): HostPorts["modelHelp"] {
  const open = async (record: RunRecord, signal: AbortSignal) => {
    const { meter } = await spendings.of(record);
    return { ...(await readEndpoints(home, environment)), signal, meter };
  };
  return {
    rerank: async (record, model, request, signal) => rerankDocuments(model, request, await open(record, signal)),
    async countTokens(record, model, { messages, funcs }, signal) {
      const system = messages.filter(({ role }) => role === "system").map(readText);
      const others = messages.filter(({ role }) => role !== "system");
      const request = {
        system: system.join("\n\n"),
        messages: others.map((message) => ({
          role: message.role === "assistant" ? ("assistant" as const) : ("user" as const),
          // Calls of functions are part of a prompt as well.
          text: `${readText(message)}${message.tool_calls ? JSON.stringify(message.tool_calls) : ""}`,
        })),
        funcs,
      };
      return countTokens(model, request, await open(record, signal));
    },
  };
}
