export function merge(intervals) {
  const sorted = [...intervals].sort((a, b) => a[0] - b[0]);
  const merged = [];
  for (const [start, end] of sorted) {
    if (start > end) throw new RangeError("an interval ends before it starts");
    const last = merged[merged.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

export function covered(intervals) {
  let total = 0;
  for (const [start, end] of merge(intervals)) total += end - start;
  return total;
}

export function contains(intervals, point) {
  return intervals.some(([start, end]) => start <= point && point < end);
}

export function gaps(intervals, from, to) {
  const found = [];
  let at = from;
  for (const [start, end] of merge(intervals)) {
    if (end <= from || start >= to) continue;
    if (start > at) found.push([at, start]);
    at = end > at ? end : at;
  }
  if (at < to) found.push([at, to]);
  return found;
}
