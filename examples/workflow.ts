// A step that fails leaves the state as it was. The rest is skipped, or goes on from there.
import { createDock } from "drydock";

const dock = await createDock();
for (const stopOnError of [true, false]) {
  const { steps } = await dock.executePythonWorkflow(["Read the numbers", "Divide them by nothing", "Add them up"], {
    stopOnError,
    attempts: 1,
  });
  console.log(stopOnError ? "stop after a failed step:" : "go on after a failed step:");
  for (const { step, instruction, status, result, error } of steps) {
    console.log(`  ${step}. ${instruction}: ${status} ${error?.code ?? JSON.stringify(result)}`);
  }
}
await dock.close();
