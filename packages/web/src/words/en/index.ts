import { agent } from "./agent.ts";
import { agents } from "./agents.ts";
import { approvals } from "./approvals.ts";
import { chat } from "./chat.ts";
import { deeds } from "./deeds.ts";
import { forms } from "./forms.ts";
import { newRun } from "./new-run.ts";
import { operations } from "./operations.ts";
import { planReview } from "./plan-review.ts";
import { playground } from "./playground.ts";
import { policy } from "./policy.ts";
import { record } from "./record.ts";
import { review } from "./review.ts";
import { run } from "./run.ts";
import { runs } from "./runs.ts";
import { setup } from "./setup.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { start } from "./start.ts";

/** Every text of the console, by its key. The other languages have the same keys, area by area. */
export const en = {
  ...shell,
  ...signIn,
  ...start,
  ...runs,
  ...newRun,
  ...planReview,
  ...review,
  ...run,
  ...record,
  ...deeds,
  ...chat,
  ...approvals,
  ...agent,
  ...agents,
  ...forms,
  ...policy,
  ...playground,
  ...setup,
  ...operations,
};
