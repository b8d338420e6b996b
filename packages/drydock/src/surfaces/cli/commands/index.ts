import * as acp from "./acp.ts";
import * as agents from "./agents.ts";
import * as ask from "./ask.ts";
import * as worker from "./cluster/worker.ts";
import * as workers from "./cluster/workers.ts";
import * as completion from "./completion.ts";
import * as doctor from "./doctor.ts";
import * as exec from "./exec.ts";
import * as approvals from "./extensions/approvals.ts";
import * as do_ from "./extensions/do.ts";
import * as ext from "./extensions/ext.ts";
import * as responses from "./extensions/responses.ts";
import * as secret from "./extensions/secret.ts";
import * as agent from "./host/agent.ts";
import * as host from "./host/host.ts";
import * as kb from "./host/kb.ts";
import * as plugin from "./host/plugin.ts";
import * as skill from "./host/skill.ts";
import * as source from "./host/source.ts";
import * as jupyter from "./jupyter.ts";
import * as mcp from "./mcp.ts";
import * as model from "./model.ts";
import * as open from "./open.ts";
import * as plan from "./plan.ts";
import * as policy from "./policy.ts";
import * as profile from "./profile.ts";
import * as audit from "./records/audit.ts";
import * as db from "./records/db.ts";
import * as du from "./records/du.ts";
import * as keys from "./records/keys.ts";
import * as prune from "./records/prune.ts";
import * as receipt from "./records/receipt.ts";
import * as replay from "./records/replay.ts";
import * as repl from "./repl.ts";
import * as run from "./run.ts";
import * as runs from "./runs/runs.ts";
import * as serve from "./serve.ts";
import * as session from "./session.ts";
import * as task from "./task.ts";
import * as token from "./token.ts";
import * as upstream from "./upstream.ts";
import * as verify from "./verify.ts";
import * as wrap from "./wrap.ts";

/** In the order in which the help lists them. */
export const COMMANDS = [
  run,
  ask,
  agents,
  agent,
  host,
  plugin,
  source,
  kb,
  skill,
  plan,
  task,
  exec,
  wrap,
  acp,
  session,
  repl,
  serve,
  worker,
  workers,
  open,
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
  upstream,
  doctor,
  db,
  du,
  prune,
  completion,
];
