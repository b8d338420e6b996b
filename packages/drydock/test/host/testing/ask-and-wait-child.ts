/** A program with an agent that asks for an action which needs an approval. It is killed while that waits. */
import { createDock } from "drydock";

const [home = "", agent = "", text = ""] = process.argv.slice(2);
const dock = await createDock({ home, warm: 1 });
dock.host.actions.register("door.open", { run: async () => "opened by the program that was killed" });
await dock.host.send({
  type: "message.received",
  conversation: { conversation_id: "killed", bot_id: agent },
  input: { text },
});
console.log("waiting");
setInterval(() => {}, 1000);
