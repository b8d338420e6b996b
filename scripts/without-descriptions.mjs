/**
 * A plugin for the console's build. The schemas of the protocol say in words what each field means, for the description of
 * the HTTP interface. The console shows none of that, and it would be half of what a browser has to load.
 */
export const withoutDescriptions = {
  name: "without-descriptions",
  transform: {
    filter: { id: /packages\/protocol\/src\/.*\.ts$/ },
    handler(code) {
      const cuts = [];
      walk(this.parse(code, { lang: "ts" }), (node) => {
        const { callee } = node;
        if (
          node.type === "CallExpression" &&
          callee.type === "MemberExpression" &&
          callee.property.name === "describe"
        ) {
          if (node.arguments.every(isText)) cuts.push({ start: callee.object.end, end: node.end, text: "" });
        }
        const isWords = node.type === "Property" && (node.key.name === "description" || node.key.name === "summary");
        if (isWords && isText(node.value)) cuts.push({ start: node.value.start, end: node.value.end, text: '""' });
      });
      let text = code;
      for (const { start, end, text: put } of cuts.sort((a, b) => b.start - a.start)) {
        text = `${text.slice(0, start)}${put}${text.slice(end)}`;
      }
      return { code: text, map: null };
    },
  },
};

function isText(node) {
  return (node.type === "Literal" && typeof node.value === "string") || node.type === "TemplateLiteral";
}

function walk(node, visit) {
  if (typeof node?.type === "string") visit(node);
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const each of value) if (each && typeof each === "object") walk(each, visit);
    if (value && typeof value === "object" && !Array.isArray(value)) walk(value, visit);
  }
}
