import { createRegistry } from "../install/create-registry.ts";

/** Changes the extensions of a home, and ends itself as `kill -9` does right before the step with this number. */
const [home = "", action = "", subject = "", deadly = ""] = process.argv.slice(2);
let step = 0;
const registry = createRegistry({
  home,
  builtInDirectory: null,
  download: () => Promise.reject(new Error("nothing is fetched here")),
  npmRegistry: async () => null,
  onStep: () => {
    if (step === Number(deadly)) process.kill(process.pid, "SIGKILL");
    step += 1;
  },
});
const options = { approve: async () => true };
if (action === "add") await registry.add(subject, options);
else if (action === "update") await registry.update("demo", { ...options, source: subject });
else await registry.remove("demo");
