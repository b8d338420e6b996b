/** A host with one run under way, which says so and goes on until it is killed. */
import { createDock } from "drydock";

const [home = "", marker = ""] = process.argv.slice(2);
const dock = await createDock({ home, warm: 0 });
await dock.exec({
  language: "bash",
  code: `(setsid bash -c 'exec -a ${marker} sleep 300' &) ; sleep 0.2; echo up; sleep 300`,
  onOutput: () => process.stdout.write("up\n"),
});
