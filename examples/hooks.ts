// Hooks see what a model wrote before it runs, and output comes while the code runs.
import { agent, agents, createDock } from "drydock";
import * as z from "zod";

const dock = await createDock();
agents.use(dock);

const sum = agent({
  name: "sum",
  description: "Adds numbers up.",
  input: z.object({ task: z.string() }),
  output: z.number(),
  prompt: "{{ task }}",
  execute: { language: "python" },
  hooks: {
    afterGenerate: ({ text }) => text.replaceAll("range(1, 10)", "range(1, 11)"),
    afterExecute: ({ executed }) => console.log(`ran:\n${executed.code}`),
  },
});
const { result } = await sum("What is the sum of 1 to 10?");
console.log(`result after the hook mended the code: ${result}`);

let ended = false;
let early = 0;
const code = "import time\nfor n in range(3):\n    print(n, flush=True)\n    time.sleep(0.2)";
const onOutput = () => {
  if (!ended) early += 1;
};
await dock.exec({ code, onOutput });
ended = true;
console.log(`pieces of output that came before the end: ${early}`);
await dock.close();
