import { ApiError, defineRunner, message, servePlugin } from "@drydock/runner-sdk";

/** The message is a list of calls, `[method, params]`; the answer is the list of their results. */
async function* run(ctx, api) {
  const results = [ctx.resources];
  for (const [method, params] of JSON.parse(ctx.input.text)) {
    try {
      results.push(await api[method](params));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      results.push({ code: error.code, message: error.message, details: error.details });
    }
  }
  yield message(JSON.stringify(results));
}

const permissions = { models: ["invoke", "rerank"], knowledge_bases: ["list", "retrieve"], files: ["config"] };
const config_schema = [
  // Its default must grant nothing: the plugin itself has written it.
  { name: "bases", type: "knowledge-base-multi-selector", default: ["private"] },
  { name: "ranker", type: "rerank-model-selector" },
  { name: "template", type: "file" },
  { name: "note", type: "string" },
];
const make = (name, manifest) => defineRunner({ manifest: { name, label: name, config_schema, ...manifest }, run });

await servePlugin({
  author: "test",
  name: "caller",
  runners: [
    make("all", { permissions, capabilities: { knowledge_retrieval: true } }),
    make("modest", {}),
    make("unable", { permissions }),
    make("documents", {
      permissions: { ...permissions, files: ["knowledge"] },
      capabilities: { knowledge_retrieval: true },
    }),
  ],
});
