/** An answer for a request that reaches no server, in the protocol's own shape. */
export function refuseRequest(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
