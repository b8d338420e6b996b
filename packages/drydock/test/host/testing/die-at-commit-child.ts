/** Sends one event, and dies right after the commit that its argument counts. `node die-at-commit-child.ts HOME COUNT` */
import { DatabaseSync } from "node:sqlite";
import { createDock } from "drydock";

const [home = "", count = "0"] = process.argv.slice(2);
let commits = 0;
let isArmed = false;
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql: string) {
  const statement = prepare.call(this, sql);
  if (sql !== "commit") return statement;
  const run = statement.run.bind(statement) as () => ReturnType<typeof statement.run>;
  statement.run = () => {
    const done = run();
    if (isArmed && ++commits === Number(count)) process.kill(process.pid, "SIGKILL");
    return done;
  };
  return statement;
};

const dock = await createDock({ home, warm: 1 });
// The plugin's process is there: what is counted are the steps of the event.
for (const { name, runner } of await dock.host.agents.list()) await dock.host.agents.change(name, { runner });
isArmed = true;
await dock.host.send({
  type: "message.received",
  source_event_id: `event-${count}`,
  conversation: { conversation_id: `conversation-${count}` },
  input: { text: 'call state_set {"scope": "conversation", "key": "k", "value": 1}' },
});
isArmed = false;
await dock.close();
process.stdout.write(String(commits));
