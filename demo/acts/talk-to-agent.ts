import { join } from "node:path";
import type { Dock } from "drydock";
import type { Stage } from "../stage.ts";

type SendOptions = Parameters<Dock["host"]["send"]>[1];

/** An agent of the host: an answer that streams, a message in the middle of a run, a refusal, and a crash. */
export async function talkToAgent(dock: Dock, stage: Stage): Promise<void> {
  stage.act("An agent of the host", "Its runner is a plugin in a process of its own, in the sandbox.");
  const { id } = await dock.host.plugins.add(join(import.meta.dirname, "../host-plugin"));
  await dock.host.agents.add({ name: "helper", runner: `plugin:${id}/helper` });
  await dock.host.agents.bind({ agent: "helper" });
  const say = async (text: string, options: SendOptions = {}) => {
    stage.note("you", text);
    const input = { text };
    const event = { type: "message.received", conversation: { conversation_id: "demo" }, input };
    const result = await dock.host.send(event, options);
    if (result.kind === "answered") stage.note("agent", result.text || `(${result.error?.code})`);
    return result;
  };

  const deltas: string[] = [];
  const first = await say("hello", { onDelta: (text) => deltas.push(text) });
  const isWhole = first.kind === "answered" && first.text === deltas.join("");
  stage.check("the answer streams, and the message is what was streamed", deltas.length > 3 && isWhole);

  const counting = Promise.withResolvers<void>();
  const sheep = say("count sheep", { onDelta: () => counting.resolve() });
  await counting.promise;
  const steered = await say("that is enough");
  stage.note("host", `${steered.kind}: the run that is under way gets the message`);
  const stopped = await sheep;
  stage.check(
    "a message during a run reaches that run",
    steered.kind === "absorbed" && stopped.kind === "answered" && stopped.text.endsWith("that is enough"),
  );

  const refused = await say("look into the workspace's data");
  const calls = refused.kind === "answered" ? await dock.runs.events(refused.runId) : [];
  const call = calls.find(({ type }) => type === "host.called");
  stage.check(
    "what the agent does not grant is refused, and on record",
    refused.kind === "answered" && refused.text.includes("unauthorized") && call?.data.ok === false,
  );

  const crashed = await say("crash");
  const after = await say("are you back?");
  stage.check(
    "a plugin that crashes costs its run only: the next one works",
    crashed.kind === "answered" &&
      crashed.error?.code === "runner.channel_lost" &&
      after.kind === "answered" &&
      after.ok,
  );
}
