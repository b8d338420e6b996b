import { DrydockError } from "@drydock/protocol";

/** A script is a file of the host, and names of files there are not for callers to try out. */
export function checkModelName(model: string | undefined): void {
  if (!model?.trim().toLowerCase().startsWith("scripted")) return;
  throw new DrydockError(
    "input.invalid",
    "A scripted model can't be named in a request.",
    "The server's owner can make it the configured one: DRYDOCK_MODEL=scripted:FILE.",
  );
}
