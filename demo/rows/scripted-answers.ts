import type { WireAnswer } from "../../packages/drydock/src/models/testing/provider-server.ts";

/** An answer for requests whose messages hold all of these texts, and none of the others. */
export interface ScriptedAnswer {
  whenAll: readonly string[];
  unless?: readonly string[];
  answer: WireAnswer;
}

const code = (text: string): WireAnswer => ({ text: `\`\`\`python\n${text}\n\`\`\`` });
const call = (name: string, values: object): WireAnswer => ({ toolCalls: [{ name, input: JSON.stringify(values) }] });

/** The first that fits is given. Written by hand: no language model has said any of it. */
export const SCRIPTED_ANSWERS: readonly ScriptedAnswer[] = [
  // A task with variables and a conversation: the code is right only where both arrived.
  {
    whenAll: ["# Instruction\n\nWhich month had more rain?", "user: I mean the year 2025", "may", "note.txt"],
    answer: code(
      'winner = "may" if sum(may) > sum(june) else "june"\nopen("answer.txt", "w").write(winner)\nprint(open("note.txt").read())\nresult = winner',
    ),
  },
  // A workflow whose second step fails as often as it is tried.
  { whenAll: ["# Instruction\n\nRead the numbers"], answer: code("numbers = [3, 4, 5]\nresult = len(numbers)") },
  { whenAll: ["# Instruction\n\nDivide them by nothing"], answer: code("numbers = None\nresult = 1 / 0") },
  { whenAll: ["# Instruction\n\nAdd them up"], answer: code("result = sum(numbers)") },
  // The agents of examples/.
  {
    whenAll: ["fibonacci(20)"],
    answer: code("def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n\nresult = fib(20)"),
  },
  { whenAll: ["Summarize in one sentence"], answer: { text: "A ship lies in the dock." } },
  {
    whenAll: ["Whose contact is in this text?"],
    unless: ["no address"],
    answer: { text: '{"name": "Ada Lovelace", "email": "no address"}' },
  },
  {
    whenAll: ["Whose contact is in this text?"],
    answer: { text: '{"name": "Ada Lovelace", "email": "ada@example.org"}' },
  },
  { whenAll: ["the sum of 1 to 10"], answer: code("print(sum(range(1, 10)))\nresult = sum(range(1, 10))") },
  // Questions that are answered with code.
  {
    whenAll: ["average every column", "figure-1.png"],
    answer: { text: "The averages are drawn as bars: units and price." },
  },
  {
    whenAll: ["average every column"],
    answer: call("session_exec", {
      code: "import pandas as pd\npd.read_csv('sales.csv').mean(numeric_only=True).plot.bar();",
    }),
  },
  {
    whenAll: ["And how many columns?", "It has 262 rows.", "[5]"],
    answer: { text: "It has 5 columns; it is the same file." },
  },
  {
    whenAll: ["And how many columns?", "It has 262 rows."],
    answer: call("session_exec", { code: "print([len(sales.columns)])" }),
  },
  { whenAll: ["How many rows has sales.csv?", "[262]"], answer: { text: "It has 262 rows." } },
  {
    whenAll: ["How many rows has sales.csv?"],
    answer: call("session_exec", {
      code: "import pandas as pd\nsales = pd.read_csv('sales.csv')\nprint([len(sales)])",
    }),
  },
  { whenAll: ["What is 6 times 7?", "42"], answer: { text: "It is 42." } },
  { whenAll: ["What is 6 times 7?"], answer: call("session_exec", { code: "print(6 * 7)" }) },
  // An agent that is defined in the REPL.
  { whenAll: ["Grade this:"], answer: { text: '{"grade": "good"}' } },
  // A plan: its task is named after the profile, where the profile is in the prompt.
  {
    whenAll: ["Say hello", "Greet in Latin"],
    answer: { text: writePlan("with-profile") },
  },
  { whenAll: ["Say hello"], answer: { text: writePlan("without-profile") } },
  // An analysis that proposes commands, of which only the first two exist.
  {
    whenAll: ["What should I do next?"],
    answer: {
      text: "The ship is Seestern. Try `/jq filter .ship` or `/jq keys`. Then `/jq destroy --all` and `rm -rf /tmp/x`.",
    },
  },
];

function writePlan(id: string): string {
  const checks = [{ type: "file_exists", path: "hello.txt" }];
  return JSON.stringify({
    goal: "Say hello",
    tasks: [{ id, title: "Greet", instructions: "Write hello.txt", checks }],
  });
}
