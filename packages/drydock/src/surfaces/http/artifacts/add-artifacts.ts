import { OPERATIONS } from "@drydock/protocol/http";
import { HttpProblem } from "../guard/http-problem.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { answerArtifact } from "./answer-artifact.ts";

export function addArtifacts(add: AddRoute, { dock }: ServerContext): void {
  add("getArtifact", OPERATIONS.getArtifact, async ({ params: { id }, headers }) => {
    const artifact = await dock.runs.findArtifact(id);
    if (artifact) return answerArtifact(dock, artifact, headers);
    const hint = "It may have expired; GET /runs/{id}/artifacts lists those of a run.";
    throw new HttpProblem(404, { message: `There is no artifact ${id}.`, hint, data: { artifactId: id } });
  });
}
