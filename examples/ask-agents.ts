// Agents are functions: call them, stream them, look at what they did.
import { agents } from "drydock";
import { assistant, extractContact, summarize } from "./agents.ts";

console.log(await summarize("A ship lies in the dock. It is dry there. Nobody is in a hurry."));
console.log(await extractContact("Write to Ada Lovelace, ada@example.org, if the engine stops."));

for await (const event of assistant.stream({ question: "What do three lamps cost?", customer: { name: "Ada" } })) {
  if (event.kind === "tool") console.log(`${event.call.name} → ${event.call.text}`);
  if (event.kind === "result") console.log(event.output);
}
await agents.close();
