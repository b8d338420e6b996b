/** Carries a plan out, and kills itself right after the event with the number that it is given. `more` are further options of the goal, as JSON. */
import { createDock } from "drydock";
import { TWELVE_TASKS } from "./twelve-tasks.ts";

const [home = "", workspace = "", model = "", killAt = "", more = "{}"] = process.argv.slice(2);
const dock = await createDock({ home, warm: 1 });
await dock.goals.run({
  plan: TWELVE_TASKS,
  workspace,
  model,
  ...JSON.parse(more),
  onEvent: ({ seq }) => {
    if (seq === Number(killAt)) process.kill(process.pid, "SIGKILL");
  },
});
await dock.close();
