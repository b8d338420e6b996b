import * as z from "zod";

type Json = Record<string, unknown>;

const PLACE = "#/components/schemas/";

/** JSON Schemas of all shapes by their names; one that stands in others, or is itself several, is referred to. */
export function writeShapes(shapes: Record<string, z.ZodType>, io: "input" | "output"): Json {
  const registry = z.registry<{ id: string }>();
  // One shape may be the whole of several answers; the registry knows each once.
  const names = new Map<z.ZodType, string>();
  for (const [id, shape] of Object.entries(shapes)) {
    if (names.has(shape)) continue;
    names.set(shape, id);
    registry.add(shape, { id });
  }
  const uri = (id: string) => `${PLACE}${id}`;
  const { schemas } = z.toJSONSchema(registry, { io, uri, unrepresentable: "any" });
  const { __shared, ...rest } = schemas as Record<string, Json>;
  // Shared schemas without a name, such as any JSON value, get names of this side.
  const shared = Object.entries((__shared?.$defs ?? {}) as Record<string, Json>).map(
    ([id, shape]) => [`${io}.${id}`, shape] as const,
  );
  const written = rename({ ...rest, ...Object.fromEntries(shared) }, `${PLACE}__shared#/$defs/`, `${PLACE}${io}.`);
  const aliases = Object.entries(shapes).flatMap(([id, shape]) => {
    const name = names.get(shape) ?? id;
    return name === id ? [] : [[id, { $ref: uri(name) }]];
  });
  return { ...written, ...Object.fromEntries(aliases) };
}

function rename(schemas: Record<string, Json>, from: string, to: string): Json {
  const text = JSON.stringify(schemas).replaceAll(`"$ref":"${from}`, `"$ref":"${to}`);
  return Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, Json>).map(([id, { $id: _id, $schema: _schema, ...shape }]) => [
      id,
      shape,
    ]),
  );
}

/** Of the shapes those that `document` refers to, and those that these refer to. */
export function gatherShapes(document: unknown, shapes: Json): Json {
  const found = new Map<string, unknown>();
  const waiting = [document];
  while (waiting.length > 0) {
    const text = JSON.stringify(waiting.pop());
    for (const [, id = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(id) || shapes[id] === undefined) continue;
      found.set(id, shapes[id]);
      waiting.push(shapes[id]);
    }
  }
  return Object.fromEntries(found);
}
