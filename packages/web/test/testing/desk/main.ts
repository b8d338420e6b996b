import {
  artifact,
  defineRunner,
  delta,
  type HostApi,
  message,
  type RunnerContext,
  type RunnerResult,
  requestAction,
  servePlugin,
  toolCompleted,
  toolStarted,
} from "@drydock/runner-sdk";

const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="teal"/>
<script>document.title = "scripted"; parent.scripted = true;</script></svg>`;

/** Tools that it reports, a message with code in it, and files of which one would like to run a script. */
async function* show(): AsyncGenerator<RunnerResult> {
  yield toolStarted("1", "search_shelves", { words: "whales" });
  yield toolCompleted("1", "search_shelves", { result: { found: ["Moby Dick"] } });
  yield toolStarted("2", "open_safe", {});
  yield toolCompleted("2", "open_safe", { error: "It is locked." });
  yield artifact({
    artifact_type: "image",
    name: "flag.svg",
    mime_type: "image/svg+xml",
    content_base64: btoa(HOSTILE),
  });
  yield artifact({ artifact_type: "file", name: "page.html", mime_type: "text/html", content_base64: btoa(HOSTILE) });
  yield message("**Found** one: `Moby Dick`.\n\n```python\nprint('<script>scripted = true</script>')\n```");
}

/** Asks the host for what a person has to approve. */
async function* ask(door: string): AsyncGenerator<RunnerResult> {
  yield requestAction("door.open", { payload: { door } });
  yield message("I asked.");
}

/** Goes on until a message reaches it. */
async function* wait(ctx: RunnerContext, api: HostApi): AsyncGenerator<RunnerResult> {
  yield delta("I am listening.");
  while (!ctx.signal.aborted) {
    const { items } = await api.steering_pull({});
    const [first] = items;
    if (first) return yield message(`Turned by: ${first.input.text}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const desk = defineRunner({
  manifest: {
    name: "desk",
    label: "Desk",
    description: "Does what the first word says.",
    capabilities: { streaming: true, interrupt: true, steering: true, tool_calling: true },
  },
  async *run(ctx, api) {
    const text = ctx.input.text ?? "";
    if (text.startsWith("show")) yield* show();
    else if (text.startsWith("ask ")) yield* ask(text.slice(4));
    else if (text.startsWith("wait")) yield* wait(ctx, api);
    else yield message(`${text} · ${ctx.input.attachments.map(({ name }) => name).join(", ")}`);
  },
});

await servePlugin({ author: "test", name: "desk", runners: [desk] });
