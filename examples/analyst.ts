// An agent with Drydock's own tools: it runs code in the sandbox to answer.
import { agent, sandboxTools } from "drydock";
import * as z from "zod";

export const analyst = agent({
  name: "analyst",
  description: "Answers questions about numbers.",
  input: z.object({ question: z.string() }),
  prompt: "{{ question }}",
  tools: [sandboxTools()],
});
