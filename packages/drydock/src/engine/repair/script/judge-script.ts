/** Part of the Node programs that try candidates: the files of one, and what its tests come to. */
export const JUDGE_SCRIPT = `
const originals = new Map();

function readOriginals() {
  const changed = new Set(input.candidates.flatMap(({ edits, texts = {} }) => [...edits.map(([name]) => name), ...Object.keys(texts)]));
  for (const name of changed) if (input.guarded[name] === undefined) originals.set(name, fs.readFileSync(path.join(root, name), "utf8"));
}

/** The changed files of a candidate. */
function textsOf({ edits, texts = {} }) {
  const found = { ...texts };
  for (const [name, start, end, replacement] of edits) {
    const text = found[name] ?? input.guarded[name] ?? originals.get(name);
    found[name] = text.slice(0, start) + replacement + text.slice(end);
  }
  return found;
}

/** Runs files of tests by run: first those of failing tests, and the others where one of these passes now. */
async function judge(tests, run) {
  const filesOf = new Set(input.failing.map((name) => path.join(root, name.split(":")[0])));
  const first = tests.filter((file) => input.failing.length === 0 || filesOf.has(file));
  const rest = tests.filter((file) => !first.includes(file));
  const answer = await run(first);
  const isLost = (result) => result === "late" || result === "gone";
  const dead = { fixed: 0, failing: input.failing.length + 1 };
  if (isLost(answer)) return { ...dead, late: answer === "late", isBad: true };
  const passed = new Set(answer.tests.filter(([, ok]) => ok).map(([name]) => name));
  const fixed = input.failing.filter((name) => passed.has(name)).length;
  let { broken, left = 0, disturbed = null } = answer;
  let bad = Math.max(answer.tests.filter(([, ok]) => !ok).length, input.failing.length - fixed);
  if (fixed > 0 && rest.length > 0) {
    const others = await run(rest);
    if (isLost(others)) return { fixed, failing: bad + 1, late: others === "late", isBad: true };
    bad += others.tests.filter(([, ok]) => !ok).length;
    broken += others.broken;
    left += others.left ?? 0;
    disturbed ??= others.disturbed ?? null;
  }
  // Files that can't be loaded either way are left to the run that confirms a candidate, unless they are all that fails.
  const isLoading = input.failing.length === 0;
  bad += isLoading ? broken : Math.max(0, broken - input.errors);
  const isBad = left > 0 || disturbed !== null;
  if (answer.isEndless) return { fixed, failing: Math.max(bad, 1), late: true, isBad };
  const mended = isLoading && broken < input.errors ? passed.size : 0;
  return { fixed: fixed + mended, failing: bad, late: false, isBad };
}
`;
