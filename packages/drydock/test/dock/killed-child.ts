/** Runs a step of a session, or a task, that says something and then does not end. Somebody kills this process. */
import { createDock } from "drydock";

const [home = "", what = "", code = "", model = ""] = process.argv.slice(2);
const dock = await createDock({ home, warm: 1 });
if (what === "task") await dock.executePythonTask("Say it", { model });
else await (await dock.sessions.open()).exec(code);
