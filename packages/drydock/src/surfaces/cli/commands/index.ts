import * as approvals from "./approvals.ts";
import * as audit from "./audit.ts";
import * as completion from "./completion.ts";
import * as do_ from "./do.ts";
import * as doctor from "./doctor.ts";
import * as du from "./du.ts";
import * as exec from "./exec.ts";
import * as ext from "./ext.ts";
import * as jupyter from "./jupyter.ts";
import * as keys from "./keys.ts";
import * as mcp from "./mcp.ts";
import * as model from "./model.ts";
import * as plan from "./plan.ts";
import * as policy from "./policy.ts";
import * as profile from "./profile.ts";
import * as prune from "./prune.ts";
import * as receipt from "./receipt.ts";
import * as repl from "./repl.ts";
import * as replay from "./replay.ts";
import * as responses from "./responses.ts";
import * as run from "./run.ts";
import * as runs from "./runs.ts";
import * as secret from "./secret.ts";
import * as serve from "./serve.ts";
import * as session from "./session.ts";
import * as task from "./task.ts";
import * as token from "./token.ts";
import * as verify from "./verify.ts";

/** In the order in which the help lists them. */
export const COMMANDS = [
  run,
  plan,
  task,
  exec,
  session,
  repl,
  serve,
  token,
  runs,
  approvals,
  responses,
  secret,
  audit,
  receipt,
  keys,
  do_,
  ext,
  policy,
  profile,
  verify,
  replay,
  mcp,
  jupyter,
  model,
  doctor,
  du,
  prune,
  completion,
];
