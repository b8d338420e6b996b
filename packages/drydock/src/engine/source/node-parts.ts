/** Parts of the Node programs that run tests again and again in one sandbox: which tests, and the time that they take. */
export const NODE_PARTS = String.raw`
const DEFAULT_PATTERN = "**/{test,test/**/*,test-*,*[._-]test}.{cjs,mjs,js,cts,mts,ts}";

function listTests() {
  const patterns = input.patterns.length > 0 ? input.patterns : [DEFAULT_PATTERN];
  const exclude = (name) => path.basename(name) === "node_modules";
  const found = patterns.flatMap((pattern) => fs.globSync(pattern, { cwd: root, exclude }));
  // A link may lead nowhere.
  const isFile = (name) => fs.statSync(name, { throwIfNoEntry: false })?.isFile();
  return [...new Set(found.map((name) => path.resolve(root, name)))].filter(isFile).sort();
}

/** User and system time, which the kernel counts in hundredths of a second. */
function readCpuMs(pid) {
  try {
    const fields = fs.readFileSync("/proc/" + pid + "/stat", "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
`;
