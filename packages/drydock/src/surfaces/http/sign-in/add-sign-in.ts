import { OPERATIONS } from "@drydock/protocol/http";
import { HttpProblem } from "../guard/http-problem.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addSignIn(add: AddRoute, { signIns }: ServerContext): void {
  add("signIn", OPERATIONS.signIn, async ({ body, headers }) => {
    const cookie = await signIns?.signIn(body, headers);
    if (cookie === null) throw refusal("code" in body);
    return answer({ required: signIns !== null }, cookie);
  });
  add("signOut", OPERATIONS.signOut, async ({ headers }) => {
    const cookie = await signIns?.signOut(headers);
    return answer({ required: signIns !== null }, cookie);
  });
  add("getSignIn", OPERATIONS.getSignIn, ({ headers }) => {
    // Without tokens every program of this machine may do everything.
    if (signIns === null) return { required: false, scope: "admin" as const, expiresAt: null };
    const found = signIns.find(headers);
    const expiresAt = found && new Date(found.expiresAtMs).toISOString();
    return { required: true, scope: found?.scope ?? null, expiresAt };
  });
}

function answer(value: { required: boolean }, cookie: string | undefined): Response {
  const headers = new Headers({ "content-type": "application/json", "cache-control": "no-store" });
  if (cookie !== undefined) headers.set("set-cookie", cookie);
  return new Response(JSON.stringify(value), { headers });
}

function refusal(byCode: boolean): HttpProblem {
  const hint = "`drydock open` opens the console with a new code, on the machine of the server.";
  const message = byCode ? "The code is used up, or older than ten minutes." : "The token is wrong, or it was revoked.";
  return new HttpProblem(401, { message, hint });
}
