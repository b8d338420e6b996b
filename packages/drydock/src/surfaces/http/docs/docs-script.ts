/**
 * What the documentation page does in the browser: it reads /openapi.json, lists the operations, and lets the user try
 * them. The token stays in the page's memory. All data is inserted as text, never as markup.
 */
export const DOCS_SCRIPT = String.raw`
"use strict";
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const token = document.getElementById("token");
const list = document.getElementById("operations");

function sample(schema, root, depth) {
  if (!schema || depth > 4) return null;
  if (schema.$ref) return sample(root.components.schemas[schema.$ref.split("/").pop()], root, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf || schema.oneOf) return sample((schema.anyOf || schema.oneOf)[0], root, depth + 1);
  if (schema.type === "object") {
    const names = Object.keys(schema.properties || {}).filter((name) => (schema.required || []).includes(name));
    return Object.fromEntries(names.map((name) => [name, sample(schema.properties[name], root, depth + 1)]));
  }
  if (schema.type === "array") return [sample(schema.items, root, depth + 1)];
  if (schema.type === "number" || schema.type === "integer") return schema.minimum || 1;
  if (schema.type === "boolean") return false;
  return "";
}

const EXAMPLES = { execute: { language: "python", code: "print(6 * 7)" }, openSession: {} };

async function send(method, path, operation, inputs, body, output) {
  let url = path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { parameter, input } of inputs) {
    if (input.value === "") continue;
    if (parameter.in === "path") url = url.replace("{" + parameter.name + "}", encodeURIComponent(input.value));
    else if (parameter.in === "query") query.set(parameter.name, input.value);
    else headers[parameter.name] = input.value;
  }
  if (token.value) headers.authorization = "Bearer " + token.value;
  if (body) headers["content-type"] = "application/json";
  const search = query.toString();
  output.hidden = false;
  output.textContent = "…";
  const started = performance.now();
  try {
    const answer = await fetch(url + (search ? "?" + search : ""), { method, headers, body: body ? body.value : undefined });
    let text = await answer.text();
    try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}
    const ms = Math.round(performance.now() - started);
    output.textContent = answer.status + " " + answer.statusText + " (" + ms + " ms)\n\n" + text.slice(0, 200000);
  } catch (error) {
    output.textContent = String(error);
  }
}

function show(method, path, operation, root) {
  const inputs = (operation.parameters || []).map((parameter) => {
    const input = make("input", { placeholder: (parameter.required ? "required: " : "") + (parameter.description || "") });
    return { parameter, input };
  });
  const schema = operation.requestBody && operation.requestBody.content["application/json"].schema;
  const example = EXAMPLES[operation.operationId] || sample(schema, root, 0);
  const body = schema && make("textarea", { rows: 8, spellcheck: false, value: JSON.stringify(example, null, 2) });
  const output = make("pre", { hidden: true });
  const button = make("button", { type: "button", textContent: "Try it" });
  button.addEventListener("click", () => send(method.toUpperCase(), path, operation, inputs, body, output));
  const shape = (title, value) =>
    make("details", {}, make("summary", { textContent: title }), make("pre", { textContent: JSON.stringify(value, null, 2) }));
  const answers = Object.entries(operation.responses).map(([status, answer]) => shape("answer " + status, answer.content));
  return make("details", { className: "operation", id: operation.operationId },
    make("summary", {}, make("b", { className: method, textContent: method.toUpperCase() }), make("code", { textContent: path }),
      make("span", { textContent: operation.summary })),
    make("p", { textContent: operation.description }),
    ...inputs.map(({ parameter, input }) => make("label", {}, make("span", { textContent: parameter.name + " (" + parameter.in + ")" }), input)),
    ...(body ? [make("label", {}, make("span", { textContent: "body" }), body), shape("shape of the body", schema)] : []),
    button, output, ...answers);
}

fetch("openapi.json").then((answer) => answer.json()).then((root) => {
  document.getElementById("version").textContent = root.info.version;
  const tags = new Map();
  for (const [path, methods] of Object.entries(root.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0];
      if (!tags.has(tag)) tags.set(tag, []);
      tags.get(tag).push(show(method, path, operation, root));
    }
  }
  list.textContent = "";
  for (const [tag, operations] of tags) list.append(make("h2", { textContent: tag }), ...operations);
}).catch((error) => { list.textContent = "The description can't be read: " + error; });
`;
