// A file of agents: `drydock serve examples/agents.ts` and `drydock repl examples/agents.ts` use it, and so does any program.
import { agent } from "drydock";
import * as z from "zod";

export const summarize = agent({
  name: "summarize",
  description: "Summarizes a text in one sentence.",
  input: z.object({ text: z.string().min(1) }),
  prompt: "Summarize in one sentence:\n{{ text }}",
});

export const extractContact = agent({
  name: "extractContact",
  description: "Finds a person's name and address in a text.",
  input: z.object({ text: z.string() }),
  output: z.object({ name: z.string(), email: z.email() }),
  prompt: "Whose contact is in this text?\n{{ text }}",
});

/** Writes code and runs it; the result must be a number. */
export const calculate = agent({
  name: "calculate",
  description: "Calculates a number exactly.",
  input: z.object({ task: z.string() }),
  output: z.number(),
  prompt: "{{ task }}",
  execute: { language: "python" },
});

/** Answers questions, with another agent and a function as tools. */
export const assistant = agent({
  name: "assistant",
  description: "Answers questions about the shop.",
  input: z.object({ question: z.string(), customer: z.object({ name: z.string() }).optional() }),
  system: "You answer for a shop.{% if customer %} You speak with {{ customer.name }}.{% endif %}",
  prompt: "{{ question }}",
  tools: [
    calculate,
    {
      name: "priceOf",
      description: "The price of an article in euros.",
      input: z.object({ article: z.string() }),
      run: ({ article }: { article: string }) => ({ article, euros: article.length * 10 }),
    },
  ],
});
