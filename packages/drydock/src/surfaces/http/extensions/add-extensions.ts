import type { InstalledExtension } from "@drydock/protocol";
import { OPERATIONS, type OperationResponse } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { type Installing, installShown } from "./install-shown.ts";

type Installation = OperationResponse<typeof OPERATIONS.addExtension>;

export function addExtensions(add: AddRoute, { dock: { extensions } }: ServerContext): void {
  const install = async (consent: { approved?: string; by?: string }, act: Installing): Promise<Installation> => {
    const done = await installShown(consent, act);
    return done.outcome === "planned" ? done : { outcome: "installed", extension: show(done.extension) };
  };
  add("listExtensions", OPERATIONS.listExtensions, async () => ({
    extensions: (await extensions.list()).map(show),
  }));
  add("addExtension", OPERATIONS.addExtension, ({ body: { source, ...consent }, signal }) =>
    install(consent, (options) => extensions.add(source, { ...options, signal })),
  );
  add("lintExtension", OPERATIONS.lintExtension, async ({ body }) => {
    const problems = await extensions.lint(body.directory);
    return { ok: !problems.some(({ severity }) => severity === "error"), problems };
  });
  add("getExtension", OPERATIONS.getExtension, async ({ params }) => {
    const found = await extensions.get(params.id);
    return { ...show(found), usage: found.usage };
  });
  add("updateExtension", OPERATIONS.updateExtension, ({ params, body: { source, ...consent }, signal }) =>
    install(consent, (options) => extensions.update(params.id, { ...options, source, signal })),
  );
  add("enableExtension", OPERATIONS.enableExtension, async ({ params }) => show(await extensions.enable(params.id)));
  add("disableExtension", OPERATIONS.disableExtension, async ({ params }) => show(await extensions.disable(params.id)));
  add("removeExtension", OPERATIONS.removeExtension, async ({ params: { id } }) => {
    await extensions.remove(id);
    return { id, removed: true as const };
  });
}

/** What the library gives may say more, such as where the files lie. */
function show(extension: InstalledExtension): InstalledExtension {
  const { manifest, commands, state, problem, hash, source, builtIn, installedAt, installedBy } = extension;
  return { manifest, commands, state, problem, hash, source, builtIn, installedAt, installedBy };
}
