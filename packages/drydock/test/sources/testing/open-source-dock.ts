import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll } from "vitest";
import { eventually } from "../../../src/base/testing/eventually.ts";
import { useTemporaryDirectory } from "../../../src/base/testing/temporary-directory.ts";

type Running = Awaited<ReturnType<Dock["host"]["sources"]["serve"]>>;

/** A dock with an agent that answers everything, and with its sources running. */
export function openSourceDock() {
  const directory = useTemporaryDirectory();
  const home = join(directory, "home");
  let dock: Dock | undefined;
  let running: Running | undefined;
  const opened = () => {
    if (!dock) throw new Error("the dock is opened by beforeAll");
    return dock;
  };
  const open = async () => {
    dock = await createDock({ home, warm: 1 });
    running = await dock.host.sources.serve();
  };
  beforeAll(async () => {
    await open();
    await opened().host.plugins.add(join(import.meta.dirname, "../plugins/chatty"));
    await opened().host.agents.add({ name: "chatty", runner: "plugin:test/chatty/default" });
    await opened().host.agents.bind({ agent: "chatty" });
  });
  const close = async () => {
    await running?.close();
    await dock?.close();
  };
  afterAll(close);
  return {
    home,
    get dock() {
      return opened();
    },
    /** Ends the dock, and opens another on the same home, as another server would. */
    async reopen() {
      await close();
      await open();
    },
    /** Adds a source, and waits until it runs or has failed. */
    async add(source: Parameters<Dock["host"]["sources"]["add"]>[0]) {
      const { sources } = opened().host;
      await sources.add(source);
      const isSettled = async () => ["running", "failed"].includes((await sources.find(source.name)).status.state);
      if (!(await eventually(isSettled))) throw new Error("the source does not start");
      return (await sources.find(source.name)).status;
    },
    status: async (name: string) => (await opened().host.sources.find(name)).status,
    warnings: async () => (await opened().host.warnings()).map(({ text }) => text),
    /** Everything that the home holds, as one text: what must not be in it is looked for here. */
    runs: async () => (await opened().host.runs.list({ limit: 100 })).runs,
  };
}
