import type { Runner } from "@drydock/runner-sdk";

const label = (en_US: string) => ({ en_US });

export const manifest: Runner["manifest"] = {
  name: "default",
  label: "Local agent",
  description: "Answers with a model of this host, its tools and its knowledge bases.",
  capabilities: {
    ...{ streaming: true, tool_calling: true, knowledge_retrieval: true, multimodal_input: true },
    ...{ interrupt: true, steering: true, skill_authoring: true },
  },
  permissions: {
    models: ["invoke", "stream", "rerank"],
    tools: ["detail", "call"],
    knowledge_bases: ["list", "retrieve"],
    history: ["page"],
    artifacts: ["metadata", "read"],
  },
  config_schema: [
    {
      ...{ name: "model", type: "model-fallback-selector", label: label("Model") },
      description: label("The model, and those that are asked where it fails."),
    },
    {
      ...{ name: "prompt", type: "prompt-editor", label: label("Prompt") },
      default: [{ role: "system", content: "You are a helpful assistant." }],
    },
    {
      ...{ name: "tools", type: "array[string]", label: label("Tools"), default: [] },
      description: label("Of the tools that the agent may use, those that the model is offered. Empty: all."),
    },
    { name: "knowledge-bases", type: "knowledge-base-multi-selector", label: label("Knowledge bases"), default: [] },
    {
      ...{ name: "knowledge-top-k", type: "integer", label: label("Passages"), default: 5 },
      description: label("How many passages of the knowledge bases go with a question."),
    },
    {
      ...{ name: "rerank-model", type: "rerank-model-selector", label: label("Rerank model"), default: "" },
      description: label("Puts the passages in order."),
    },
    {
      ...{ name: "rerank-top-k", type: "integer", label: label("Passages after ranking"), default: 5 },
      description: label("How many passages go with a question where a rerank model is set."),
    },
    {
      ...{ name: "history-tokens", type: "integer", label: label("Tokens of history"), default: 8000 },
      description: label("How much of the conversation goes with a question. What is older is summarized."),
    },
    {
      ...{ name: "tool-rounds", type: "integer", label: label("Rounds of tool calls"), default: 10 },
      description: label("How often the model may call tools for one message."),
    },
    {
      ...{ name: "remove-think", type: "boolean", label: label("Remove <think>"), default: false },
      description: label("Leaves out what a model writes between <think> and </think>."),
    },
  ],
};
