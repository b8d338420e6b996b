import { HttpProblem } from "../guard/http-problem.ts";

interface NamesSession {
  sessionId?: string;
  session?: string;
}

/** The request as the dock takes it: `sessionId`, as results have it, or `session`, the name from before. */
export function readSessionId<T extends NamesSession>(body: T): Omit<T, "sessionId"> {
  const { sessionId, ...rest } = body;
  if (sessionId === undefined) return rest;
  if (rest.session !== undefined) {
    const message = "The request has both `sessionId` and `session`.";
    throw new HttpProblem(400, { message, hint: "Give `sessionId` only." });
  }
  return { ...rest, session: sessionId };
}
