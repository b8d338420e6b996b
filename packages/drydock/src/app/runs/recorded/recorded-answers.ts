import { type Divergence, DrydockError, ErrorInfo, ModelAnswer, type RunEvent } from "@drydock/protocol";
import { createReplayModel, type Model } from "../../../models/index.ts";

const RECORDED_HINT = "This error is part of the recording; the replay repeats it.";

/** Contents by their hash, checked against it. */
export interface RecordedContents {
  readWhole(sha256: string): Promise<Buffer>;
}

/** The model of a replay, where the run asked one: a run without a model has none again. */
export function openAskedModel(
  contents: RecordedContents,
  events: readonly RunEvent[],
  altered: Divergence[],
): Model | null {
  return events.some(({ type }) => type === "model.asked") ? openRecordedModel(contents, events, altered) : null;
}

/**
 * A model that gives the recorded answers, each under the name of its request. One whose content is not what its hash says
 * is none, and is added to `altered`.
 */
export function openRecordedModel(
  contents: RecordedContents,
  events: readonly RunEvent[],
  altered: Divergence[],
): Model {
  const answers = new Map(
    events.filter((event) => event.type === "model.answered").map((event) => [String(event.data.key), event.data]),
  );
  const failures = new Map(
    events.filter((event) => event.type === "model.failed").map((event) => [String(event.data.key), event.data]),
  );
  return createReplayModel(async ({ key = "" }) => {
    const recorded = answers.get(key);
    if (!recorded) {
      const failed = ErrorInfo.safeParse(failures.get(key)?.error).data;
      if (failed) throw new DrydockError(failed.code, failed.message, RECORDED_HINT);
      return null;
    }
    try {
      return ModelAnswer.parse(JSON.parse((await contents.readWhole(String(recorded.answer))).toString()));
    } catch (error) {
      const what = "the recorded answer";
      const isKnown = altered.some((each) => each.step === key && each.what === what);
      const reason = error instanceof Error ? error.message : String(error);
      if (!isKnown) altered.push({ step: key, what, cause: "record", recorded: recorded.answer, replayed: reason });
      return null;
    }
  });
}
