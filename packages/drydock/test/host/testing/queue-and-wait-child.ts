/** A program with a run that never pulls, and a message that was queued for it. It is killed while that waits. */
import { setTimeout as sleep } from "node:timers/promises";
import { createDock } from "drydock";

const [home = "", agent = "", text = ""] = process.argv.slice(2);
const dock = await createDock({ home, warm: 1 });
const send = (words: string, onStarted?: (runId: string) => void) =>
  dock.host.send(
    { type: "message.received", conversation: { conversation_id: "left", bot_id: agent }, input: { text: words } },
    { onStarted },
  );
const runId = await new Promise<string>((resolve) => void send(text, resolve));
while (!(await dock.runs.events(runId)).some(({ type }) => type === "runner.started")) await sleep(20);
const { kind, eventId } = await send(JSON.stringify({ calls: [["get_host_version"]] }));
console.log(kind, eventId);
setInterval(() => {}, 1000);
