import { ApiError, defineRunner, message, servePlugin } from "@drydock/runner-sdk";

/** The message is JSON: for each number of `sizes` a value of so many bytes is stored and read again. */
async function* run(ctx, api) {
  const answers = [];
  for (const size of JSON.parse(ctx.input.text).sizes) {
    const value = Buffer.alloc(size, "drydock").toString("base64");
    try {
      await api.set_plugin_storage({ key: "large", value });
      answers.push((await api.get_plugin_storage({ key: "large" })).value === value);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      answers.push(error.code);
    }
  }
  yield message(JSON.stringify({ answers }));
}

const manifest = { name: "all", label: "Storer", permissions: { storage: ["plugin"] } };
await servePlugin({ author: "test", name: "storer", runners: [defineRunner({ manifest, run })] });
