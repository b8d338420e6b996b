import { DrydockError, type GoalProgress, type PlanReview } from "@drydock/protocol";
import { OPERATIONS, type OperationRequest } from "@drydock/protocol/http";
import { reportRunId } from "../background-runs.ts";
import { checkModelName } from "../guard/check-model-name.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

type ReviewBody = OperationRequest<typeof OPERATIONS.reviewPlan>["body"];

export function addPlans(add: AddRoute, { dock, background, model }: ServerContext): void {
  add("createPlan", OPERATIONS.createPlan, async ({ body, signal, emit }) => {
    checkModelName(body.model);
    let runId = "";
    const onEvent = reportRunId((id) => {
      runId = id;
      emit?.("started", { runId });
    });
    const onProgress = emit && ((progress: GoalProgress) => emit(progress.kind, progress));
    const plan = await dock.goals.plan({ model, ...body, signal, onEvent, onProgress });
    return { runId, plan };
  });
  add("getPlan", OPERATIONS.getPlan, ({ params }) => dock.runs.plan(params.id));
  add("reviewPlan", OPERATIONS.reviewPlan, async ({ params: { id }, body }) => {
    checkModelName(body.model);
    const review = readReview(body);
    const options = body.model === undefined ? {} : { model: body.model };
    await background.start((signal, begun) =>
      dock.goals.review(id, review, { ...options, signal, onEvent: reportRunId(begun) }),
    );
    return dock.runs.get(id);
  });
}

function readReview({ decision, plan, reason }: ReviewBody): PlanReview {
  const isApproved = decision === "approve";
  if (isApproved ? reason !== undefined : plan !== undefined) {
    throw new DrydockError(
      "input.invalid",
      isApproved ? "`reason` belongs to `reject`." : "`plan` belongs to `approve`.",
      "Approve the plan as it is or with a changed `plan`, or reject it with a `reason`.",
    );
  }
  if (!isApproved) return { kind: "rejected", reason: reason ?? "No reason was given." };
  return plan === undefined ? { kind: "approved" } : { kind: "edited", plan };
}
