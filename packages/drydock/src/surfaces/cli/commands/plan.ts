import { resolve } from "node:path";
import type { Command } from "commander";
import { type GoalOptions, loadPlanFiles } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import { refuseUnwritable, writeOut } from "../../terminal/write-out.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption, parseCount, parsePositive } from "../flags/add-flags.ts";
import { type GoalFlags, readBudget } from "../goal/goal-flags.ts";
import { refuse } from "../goal/refuse.ts";
import { readRunPolicy } from "../read-run-policy.ts";

interface PlanFlags extends GoalFlags {
  out?: string;
  schema?: boolean;
  writesSchema?: boolean;
}

const HELP = `
The plan is YAML, or JSON with --json. Read it, change it, then: drydock run --plan FILE

Examples:
  $ drydock plan --goal "Fix add() so that the tests pass" --out plan.yaml
  $ drydock run --plan plan.yaml
  $ drydock plan --schema > plan.schema.json`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("plan")
    .summary("plan a goal without carrying it out")
    .description("Gets a plan from a model, without executing it.")
    .usage("[options] (--goal TEXT | --schema | --writes-schema)")
    .option("--goal <text>", "what should be done, in plain words")
    .option("--workspace <dir>", "the directory that the plan is for", ".")
    .option("--model <id>", "PROVIDER/NAME, or several separated by commas (fallbacks), or scripted:FILE")
    .option("--budget-tokens <count>", "stop before using more than this number of tokens", parseCount)
    .option("--budget-usd <dollars>", "stop before spending more than this", parsePositive)
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .option("--out <file>", "write the plan to this file")
    .option("--schema", "print the JSON Schema of a plan")
    .option("--writes-schema", "print the JSON Schema of an answer that holds file writes")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (flags: PlanFlags) => {
      const { formatPlan, planJsonSchema, writesJsonSchema } = await loadPlanFiles();
      const write = async (text: string) => {
        if (flags.out === undefined) terminal.out(text);
        else await writeOut(resolve(flags.out), text);
      };
      if (flags.schema || flags.writesSchema) {
        const schema = flags.schema ? planJsonSchema() : writesJsonSchema();
        return write(`${JSON.stringify(schema, null, 2)}\n`);
      }
      const { goal, workspace = ".", model, json, out } = flags;
      const hint = 'Say what is to be done: drydock plan --goal "Fix add() so that the tests pass"';
      refuse(goal === undefined, "There is no goal.", hint);
      if (out !== undefined) await refuseUnwritable(resolve(out));
      const policy = await readRunPolicy(flags);
      using interrupts = watchInterrupts();
      const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
      // A model that is asked again is waited for: the reason is no secret.
      const onProgress: GoalOptions["onProgress"] = (progress) => {
        if (progress.kind === "notice") terminal.err(`${cleanLine(progress.text)}\n`);
      };
      const request = { goal, workspace: resolve(workspace), model, policy, budget: readBudget(flags) };
      const options = { ...request, signal, onProgress };
      const plan = await useDock((dock) => dock.goals.plan(options));
      await write(json ? `${JSON.stringify(plan)}\n` : await formatPlan(plan));
      if (out === undefined) return;
      const file = resolve(out);
      terminal.out(json ? `${JSON.stringify({ file, tasks: plan.tasks.length })}\n` : `${file}\n`);
    });
}
