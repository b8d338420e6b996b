import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addBoxes(add: AddRoute, { dock }: ServerContext): void {
  const { boxes, skills } = dock;
  add("listBoxes", OPERATIONS.listBoxes, async () => ({ boxes: await boxes.list() }));
  add("closeBox", OPERATIONS.closeBox, ({ params: { id } }) => boxes.close(id));
  add("listBoxFiles", OPERATIONS.listBoxFiles, ({ params: { id }, query }) => boxes.files.list(id, query.path));
  add("readBoxFile", OPERATIONS.readBoxFile, async ({ params: { id }, query: { path, ...range } }) => {
    const { bytes, ...facts } = await boxes.files.read(id, path, range);
    return { ...facts, base64: bytes.toString("base64") };
  });
  add("writeBoxFile", OPERATIONS.writeBoxFile, ({ params: { id }, body: { path, base64 } }) =>
    boxes.files.write(id, path, Buffer.from(base64, "base64")),
  );
  add("deleteBoxFile", OPERATIONS.deleteBoxFile, ({ params: { id }, query }) => boxes.files.delete(id, query.path));
  add("listSkills", OPERATIONS.listSkills, async () => ({ skills: await skills.list() }));
  add("showSkill", OPERATIONS.showSkill, async ({ params: { name } }) => {
    const { directory: _directory, ...skill } = await skills.find(name);
    return skill;
  });
  add("addSkill", OPERATIONS.addSkill, ({ body }) => skills.add(body.path));
  add("removeSkill", OPERATIONS.removeSkill, ({ params: { name } }) => skills.remove(name));
}
