import * as z from "zod";
import { Check } from "../check.ts";
import { ExecRequest } from "../exec.ts";
import { GoalUsage } from "../goal-events.ts";
import { PolicyDocument } from "../policy.ts";
import {
  AgentInfo,
  AgentToolCall,
  Attachment,
  PythonTaskResult,
  PythonWorkflowResult,
  TaskContext,
} from "../python-task.ts";
import { defineOperation } from "./operation.ts";

const asked = {
  /** `provider/name`, several with commas as fallbacks. Default: as configured. */
  model: z.string().min(1).optional(),
  policy: PolicyDocument.optional(),
  session: z.string().optional(),
  budget: z
    .strictObject({ tokens: z.number().int().positive().optional(), usd: z.number().positive().optional() })
    .optional(),
};

const work = {
  ...asked,
  context: TaskContext.optional(),
  workspace: z.string().optional(),
  attachments: z.array(Attachment).optional(),
  checks: z.array(Check).optional(),
  attempts: z.number().int().min(1).max(20).optional(),
  requirements: ExecRequest.shape.requirements,
  install: ExecRequest.shape.install,
};

export const TaskBody = z.strictObject({ instruction: z.string().min(1), ...work });

export const WorkflowBody = z.strictObject({
  instructions: z.array(z.string().min(1)).max(100),
  ...work,
  stopOnError: z.boolean().optional(),
  resumeFrom: z.strictObject({ runId: z.string(), step: z.number().int().positive() }).optional(),
});

export const AgentBody = z.strictObject({
  /** What the agent's input schema asks for; text, where that has one property only. */
  input: z.unknown(),
  ...asked,
});

export const TASKS = {
  executeTask: defineOperation({
    method: "post",
    path: "/tasks",
    tag: "tasks",
    summary: "Have a model write Python for an instruction, and run it in the sandbox",
    body: TaskBody,
    response: PythonTaskResult,
    streams: "calls",
    idempotent: true,
  }),
  executeWorkflow: defineOperation({
    method: "post",
    path: "/workflows",
    tag: "tasks",
    summary: "Several instructions, one after the other, on one state",
    body: WorkflowBody,
    response: PythonWorkflowResult,
    streams: "calls",
    idempotent: true,
  }),
  listAgents: defineOperation({
    method: "get",
    path: "/agents",
    tag: "agents",
    summary: "The agents that this server has",
    response: z.object({ agents: z.array(AgentInfo) }),
  }),
  callAgent: defineOperation({
    method: "post",
    path: "/agents/{name}",
    tag: "agents",
    summary: "Call an agent",
    params: z.object({ name: z.string() }),
    body: AgentBody,
    response: z.object({
      output: z.unknown(),
      runId: z.string(),
      toolCalls: z.array(AgentToolCall),
      usage: GoalUsage,
    }),
    streams: "calls",
    idempotent: true,
  }),
} as const;
