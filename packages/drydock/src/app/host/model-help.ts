import { readText } from "@drydock/protocol/runner";
import type { HostPorts } from "../../host/index.ts";
import { countTokens, rerankDocuments } from "../../models/index.ts";
import { type EnvironmentVariables, readEndpoints } from "../models/index.ts";

/** Ranking and counting for runners, with the providers of `config.yaml` as they are at that moment. */
export function createModelHelp(home: string, environment: EnvironmentVariables): HostPorts["modelHelp"] {
  return {
    async rerank(model, request, signal) {
      return rerankDocuments(model, request, { ...(await readEndpoints(home, environment)), signal });
    },
    async countTokens(model, { messages, funcs }, signal) {
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
      return countTokens(model, request, { ...(await readEndpoints(home, environment)), signal });
    },
  };
}
