import * as z from "zod";
import { ListedTask, PlanTask, TaskId } from "../plan.ts";
import { Run } from "../run/run.ts";
import { defineOperation } from "./operation.ts";
import { workspaceField } from "./request-fields.ts";
import { BacklogRunBody } from "./run-body.ts";

const forWorkspace = workspaceField.describe("The directory that the task is for, as an absolute path.");
const tag = "backlog";

export const BACKLOG = {
  addBacklogTask: defineOperation({
    method: "post",
    path: "/backlog",
    tag,
    client: "backlog.add",
    summary: "Add a single task to the list of a workspace",
    description:
      "Adds a task that belongs to no plan. It waits in the list of its workspace until `POST /backlog/run` carries it out.",
    scope: "run",
    body: z.strictObject({
      workspace: forWorkspace,
      task: PlanTask.describe("What to do, and the checks that decide."),
    }),
    status: 201,
    response: ListedTask,
    idempotent: true,
  }),
  listBacklog: defineOperation({
    method: "get",
    path: "/backlog",
    tag,
    client: "backlog.list",
    summary: "Single tasks with their states, and the tasks of runs that have not ended",
    description: "Lists single tasks in every state, and the tasks of goals that have not ended.",
    scope: "read",
    query: z.strictObject({
      workspace: workspaceField.optional().describe("Only tasks for this directory. Default: of all workspaces."),
    }),
    response: z.object({ tasks: z.array(ListedTask).describe("The tasks, the oldest first.") }),
  }),
  runBacklog: defineOperation({
    method: "post",
    path: "/backlog/run",
    tag,
    client: "backlog.run",
    summary: "Carry out single tasks as one run, in the background",
    description:
      "Starts one run that carries out all waiting tasks of a workspace, or those that are named. A task is done once the verdict of that run is `passed`. `GET /runs/{id}/events` follows the run.",
    scope: "run",
    body: BacklogRunBody,
    status: 202,
    response: Run,
    idempotent: true,
  }),
  cancelBacklogTask: defineOperation({
    method: "post",
    path: "/backlog/{id}/cancel",
    tag,
    client: "backlog.cancel",
    clientArguments: ["workspace"],
    summary: "Take a single task off the list of what is to be done",
    description: "Cancels a task that waits or that failed. One that is under way is cancelled with its run.",
    scope: "run",
    params: z.object({ id: TaskId.describe("Name of the task, as `GET /backlog` lists it.") }),
    body: z.strictObject({ workspace: forWorkspace }),
    response: z.object({
      id: TaskId.describe("Name of the task."),
      status: z.literal("cancelled").describe("Always `cancelled`: the task is not done any more."),
    }),
  }),
} as const;
