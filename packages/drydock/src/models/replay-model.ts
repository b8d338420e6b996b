import { DrydockError, type ModelAnswer } from "@drydock/protocol";
import type { Model, ModelRequest } from "./model.ts";

/** Answers from a record, without any request. `next` finds the recorded answer of a request; null if there is none. */
export function createReplayModel(next: (request: ModelRequest) => Promise<ModelAnswer | null>): Model {
  return {
    id: "replay",
    scripted: false,
    async ask(request) {
      const answer = await next(request);
      if (answer === null) throw nothingRecorded(request);
      if (answer.text !== "") request.onText?.(answer.text);
      return answer;
    },
  };
}

function nothingRecorded({ step, task }: ModelRequest): DrydockError {
  const where = task === undefined ? step : `${step} of task ${task}`;
  return new DrydockError(
    "model.failed",
    `The record has no answer to this request (${where}).`,
    "The replay diverged from the recorded run. To continue from there with a model, replay with --from TASK --model PROVIDER/NAME.",
    { model: "replay", step, ...(task === undefined ? {} : { task }) },
  );
}
