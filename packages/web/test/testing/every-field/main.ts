import { defineRunner, message, servePlugin } from "@drydock/runner-sdk";

const label = (en_US: string, zh_Hans = en_US) => ({ en_US, zh_Hans });
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const choice = (name: string) => ({ name, label: label(`The ${name} one`) });

/** Answers with its settings. */
const runner = defineRunner({
  manifest: {
    name: "all",
    label: label(`Every field ${HOSTILE}`, "所有字段"),
    description: label(`Has a field of every type. ${HOSTILE}`),
    permissions: { models: ["invoke"], files: ["config"], storage: ["plugin"], knowledge_bases: ["retrieve"] },
    config_schema: [
      { name: "title", type: "string", label: label("Title", "标题"), required: true },
      { name: "notes", type: "text", label: label("Notes"), description: label(HOSTILE) },
      { name: "count", type: "integer", label: label("Count"), default: 3 },
      { name: "weight", type: "float", label: label("Weight") },
      { name: "careful", type: "boolean", label: label("Careful"), default: false },
      {
        ...{ name: "how", type: "select", label: label("How"), options: [choice("first"), choice("second")] },
        ...{ default: "first", show_if: { field: "careful", value: true } },
      },
      { name: "key", type: "secret", label: label("Key") },
      { name: "words", type: "array[string]", label: label("Words") },
      { name: "extra", type: "json", label: label("Extra"), default: { a: 1 } },
      { name: "model", type: "model-fallback-selector", label: label("Model") },
      { name: "judge", type: "llm-model-selector", label: label("Judge") },
      { name: "ranker", type: "rerank-model-selector", label: label("Ranker") },
      { name: "books", type: "knowledge-base-multi-selector", label: label("Books") },
      { name: "prompt", type: "prompt-editor", label: label("Prompt") },
      { name: "sheet", type: "file", label: label("Sheet") },
      { name: "sheets", type: "array[file]", label: label("Sheets") },
      {
        name: "fixed",
        type: "string",
        label: label("Fixed"),
        default: "as it is",
        disabled_tooltip: label("its maker says so"),
      },
      { name: "__system.runner", type: "string", label: label("Runs as") },
    ],
  },
  async *run({ config }) {
    yield message(JSON.stringify(config));
  },
});

await servePlugin({ author: "test", name: "every-field", runners: [runner] });
