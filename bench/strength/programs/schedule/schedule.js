export function order(tasks) {
  const done = new Set();
  const active = new Set();
  const result = [];
  const visit = (name, path) => {
    if (done.has(name)) return;
    if (active.has(name)) throw new Error(`circle: ${[...path, name].join(" > ")}`);
    const task = tasks[name];
    if (task === undefined) throw new Error(`unknown task: ${name}`);
    active.add(name);
    for (const needed of task.needs ?? []) visit(needed, [...path, name]);
    active.delete(name);
    done.add(name);
    result.push(name);
  };
  for (const name of Object.keys(tasks).sort()) visit(name, []);
  return result;
}

export function duration(tasks) {
  const ends = {};
  for (const name of order(tasks)) {
    const { needs = [], hours = 0 } = tasks[name];
    const start = needs.reduce((latest, needed) => Math.max(latest, ends[needed]), 0);
    ends[name] = start + hours;
  }
  return Math.max(0, ...Object.values(ends));
}

export async function runAll(tasks, run) {
  const results = {};
  for (const name of order(tasks)) {
    const failed = (tasks[name].needs ?? []).some((needed) => results[needed] !== "done");
    if (failed) {
      results[name] = "skipped";
      continue;
    }
    try {
      await run(name);
      results[name] = "done";
    } catch (error) {
      results[name] = `failed: ${error.message}`;
    }
  }
  return results;
}
