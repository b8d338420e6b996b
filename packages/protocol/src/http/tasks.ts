import * as z from "zod";
import { AskResult } from "../ask.ts";
import { Check } from "../check.ts";
import { ExecRequest } from "../exec.ts";
import { GoalUsage } from "../goal-events.ts";
import {
  AgentInfo,
  AgentToolCall,
  Attachment,
  ChatMessage,
  PythonTaskResult,
  PythonWorkflowResult,
  TaskContext,
} from "../python-task.ts";
import { defineOperation } from "./operation.ts";
import { budgetField, modelField, policyField, runIdParam, sessionFields, workspaceField } from "./request-fields.ts";

const requestFields = {
  model: modelField,
  policy: policyField,
  ...sessionFields,
  budget: budgetField,
};

const work = {
  ...requestFields,
  context: z
    .union([TaskContext, z.string()])
    .optional()
    .describe("What the model should know besides the instruction; also as JSON text, where other keys are variables."),
  workspace: workspaceField
    .optional()
    .describe("A directory to work on; it is never changed. Default: an empty directory."),
  attachments: z
    .array(Attachment)
    .optional()
    .describe("Files that are put into the work directory first: 64 MB together, 16 MB with a workspace or session."),
  checks: z.array(Check).optional().describe("What must hold of the work directory afterwards. Decides `verdict`."),
  attempts: z.number().int().min(1).max(20).optional().describe("How often code may be written, 1 to 20. Default: 3."),
  requirements: ExecRequest.shape.requirements,
  install: ExecRequest.shape.install,
};

export const TaskBody = z.strictObject({
  instruction: z.string().min(1).describe("What the Python code should do, in plain words."),
  ...work,
});

export const WorkflowBody = z.strictObject({
  instructions: z
    .array(z.string().min(1))
    .max(100)
    .describe("What each step should do, in plain words. At most 100 steps."),
  ...work,
  stopOnError: z.boolean().optional().describe("True: skip the steps after one that failed. Default: true."),
  resumeFrom: z
    .strictObject({
      runId: runIdParam,
      step: z.number().int().positive().describe("The first step that is done anew, counted from 1."),
    })
    .optional()
    .describe("Continues an earlier workflow: the steps before `step` are executed again from its record."),
});

const { context: _context, checks: _checks, attempts: _attempts, ...questionFields } = work;

export const AskBody = z.strictObject({
  words: z.string().min(1).describe("What the person wants to know or have, in plain words."),
  chat: z.array(ChatMessage).optional().describe("What was said before, the oldest message first."),
  system: z.string().optional().describe("Instructions for the model that come before Drydock's own."),
  maxTurns: z.number().int().min(1).max(100).optional().describe("Answers of the model, at most. Default: 20."),
  ...questionFields,
});

export const AgentBody = z.strictObject({
  input: z.unknown().describe("What the agent's input schema asks for; plain text if that has only one property."),
  ...requestFields,
});

export const TASKS = {
  ask: defineOperation({
    method: "post",
    path: "/ask",
    tag: "tasks",
    client: "ask",
    summary: "Answer words, with code that is run in the sandbox where that helps",
    description:
      "A model answers in words. It runs Python code in a sandbox session where that helps, looks at the output and goes on.",
    scope: "run",
    body: AskBody,
    response: AskResult,
    streams: "calls",
    idempotent: true,
  }),
  executeTask: defineOperation({
    method: "post",
    path: "/tasks",
    tag: "tasks",
    client: "executePythonTask",
    summary: "Have a model write Python for an instruction, and run it in the sandbox",
    description:
      "A model writes Python code for an instruction in plain words. The code runs in the sandbox, and is corrected if it fails or if its checks fail.",
    scope: "run",
    body: TaskBody,
    response: PythonTaskResult,
    streams: "calls",
    idempotent: true,
  }),
  executeWorkflow: defineOperation({
    method: "post",
    path: "/workflows",
    tag: "tasks",
    client: "executePythonWorkflow",
    summary: "Run several instructions in a row that share variables and files",
    description:
      "Executes several instructions one after the other. Each continues with the variables and files of the one before.",
    scope: "run",
    body: WorkflowBody,
    response: PythonWorkflowResult,
    streams: "calls",
    idempotent: true,
  }),
  listAgents: defineOperation({
    method: "get",
    path: "/agents",
    tag: "agents",
    client: "agents.list",
    summary: "The agents that this server has",
    description:
      "Lists the agents that the owner of this server has set up, with the JSON Schemas of their input and output.",
    scope: "read",
    response: z.object({ agents: z.array(AgentInfo).describe("The agents that this server has.") }),
  }),
  callAgent: defineOperation({
    method: "post",
    path: "/agents/{name}",
    tag: "agents",
    client: "agents.call",
    summary: "Call an agent",
    description:
      "Calls an agent with an input that fits its schema, and answers with its output and the tools it called.",
    scope: "run",
    params: z.object({ name: z.string().describe("Name of the agent, as `GET /agents` lists it.") }),
    body: AgentBody,
    response: z.object({
      output: z.unknown().describe("What the agent gives back, by its output schema."),
      runId: z.string().describe("Id of the agent's run in the ledger, `run_…`."),
      toolCalls: z.array(AgentToolCall).describe("Tools that the model called, in order."),
      usage: GoalUsage.describe("Model calls, tokens and cost."),
    }),
    streams: "calls",
    idempotent: true,
  }),
} as const;
