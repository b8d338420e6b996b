// A task with all that it may be given: variables, what was said before, a file. Its whole result, as JSON.
import { createDock } from "drydock";

const dock = await createDock();
const { ok, code, output, result, variables, artifacts, error } = await dock.executePythonTask(
  "Which month had more rain?",
  {
    context: {
      variables: { may: [3, 0, 12], june: [1, 8, 2] },
      chat: [{ role: "user", text: "I mean the year 2025" }],
    },
    attachments: [{ name: "note.txt", content: "measured in Lisbon\n" }],
  },
);
console.log(JSON.stringify({ ok, code, output, result, variables, artifacts, error }, null, 2));
await dock.close();
