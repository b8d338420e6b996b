// The ready-made agent: a model writes Python for a task, the sandbox runs it, and the result comes back.
import { agents, executeCode } from "drydock";

const { success, code, result, error } = await executeCode("Calculate fibonacci(20)");

console.log(success ? `${code}\n→ ${result}` : `${error?.code}: ${error?.message}\n${error?.hint}`);
await agents.close();
