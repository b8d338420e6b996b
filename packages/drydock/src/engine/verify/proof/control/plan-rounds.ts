import type { Expectation, ExpectingFile, Spoiled } from "../../../mutate/index.ts";

/** Test files as one control runs them. */
export interface Round {
  files: { file: ExpectingFile; chosen: readonly Expectation[] }[];
  /** How many expectations are made wrong. */
  count: number;
  /** Of the suspects: whether one of its own expectations is made wrong. */
  isSpoilt: (id: string) => boolean;
  /** Of the suspects: whether nothing is made wrong that it could depend on. */
  isUntouched: (id: string) => boolean;
}

interface OwnTest {
  path: string;
  name: string;
  /** In the order in which they are tried: the last one, the first one, one in the middle. */
  expectations: Expectation[];
}

const MAX_TRIED = 3;

/**
 * Each suspect gets rounds in which one of its own expectations is wrong, and a round in which nothing of its own is: the
 * first must fail it, the last must not. Neighbours take turns, so that no round looks like a control as a whole, and a
 * suite whose tests expect one thing each needs two rounds. What belongs to no test is made wrong in a round with all the rest.
 */
export function planTestRounds(files: readonly ExpectingFile[], suspects: readonly string[]): Round[] {
  const { tests, ownerOf } = findOwners(listOwnTests(files), suspects);
  const isOpen = suspects.some((id) => !ownerOf.get(id));
  const most = tests.reduce((found, { expectations }) => Math.max(found, expectations.length), 0);
  const tried = Math.min(MAX_TRIED, most);
  const rounds = Array.from({ length: tests.length > 0 ? tried + 1 : 0 }, (_, round): Round => {
    const chosen = new Map<OwnTest, Expectation>();
    for (const [index, test] of tests.entries()) {
      const phases = 1 + Math.min(tried, test.expectations.length);
      const expectation = test.expectations[((round + index) % phases) - 1];
      if (expectation) chosen.set(test, expectation);
    }
    const picked = new Set(chosen.values());
    const isOwn = (id: string) => {
      const owner = ownerOf.get(id);
      return owner !== undefined && owner !== null && chosen.has(owner);
    };
    return {
      files: files.map((file) => ({ file, chosen: file.expectations.filter((each) => picked.has(each)) })),
      count: picked.size,
      isSpoilt: isOwn,
      isUntouched: (id) => !isOwn(id),
    };
  });
  return isOpen ? [...rounds, planWhole(files)] : rounds;
}

const MAX_FILES_ALONE = 4;

/**
 * Where no test can be told from another: all that is expected at once, and what each test or file expects last. With
 * `alone`, each of a few files by itself as well, so that one which is right does not vouch for the others.
 */
export function planWholeRounds(files: readonly ExpectingFile[], options: { alone: boolean }): Round[] {
  const whole = planWhole(files);
  if (whole.count === 0) return [];
  const last = new Set(
    files.flatMap((file) => {
      const own = listOwnTests([file]).flatMap(({ expectations }) => expectations.slice(0, 1));
      return own.length > 0 ? own : file.expectations.slice(-1);
    }),
  );
  const choose = (isChosen: (each: Expectation, file: ExpectingFile) => boolean): Round => {
    const chosen = files.map((file) => ({ file, chosen: file.expectations.filter((each) => isChosen(each, file)) }));
    return { ...whole, files: chosen, count: chosen.reduce((sum, { chosen: some }) => sum + some.length, 0) };
  };
  const alone = options.alone && files.length > 1 && files.length <= MAX_FILES_ALONE ? files : [];
  return [
    whole,
    ...(last.size === whole.count ? [] : [choose((each) => last.has(each))]),
    ...alone.map((only) => choose((_, file) => file === only)),
  ];
}

function planWhole(files: readonly ExpectingFile[]): Round {
  return {
    files: files.map((file) => ({ file, chosen: file.expectations })),
    count: files.reduce((sum, { expectations }) => sum + expectations.length, 0),
    isSpoilt: () => false,
    isUntouched: () => false,
  };
}

function listOwnTests(files: readonly ExpectingFile[]): OwnTest[] {
  return files.flatMap(({ path, expectations }) =>
    [...Map.groupBy(expectations, ({ test }) => test)].flatMap(([name, own]) => {
      const reached = own.filter(({ isReached }) => isReached);
      const some = reached.length > 0 ? reached : own;
      const [first, middle, last] = [some[0], some[some.length >> 1], some.at(-1)];
      const order = [...new Set([last, first, middle])].filter((each) => each !== undefined);
      return name === null ? [] : [{ path, name, expectations: order }];
    }),
  );
}

/** The tests of the suspects, by the ends of their names: suites have thousands of both. */
function findOwners(tests: readonly OwnTest[], suspects: readonly string[]) {
  const byEnd = Map.groupBy(tests, ({ name }) => endOf(name));
  const ownerOf = new Map<string, OwnTest | null>();
  const found = new Set<OwnTest>();
  for (const id of suspects) {
    const ends = new Set(listForms(id).map(endOf));
    const own = [...ends].flatMap((end) => byEnd.get(end) ?? []).filter(({ path, name }) => isTest(id, path, name));
    for (const test of own) found.add(test);
    // The test's own file says most; some runners name none.
    ownerOf.set(id, own.find(({ path }) => id.startsWith(path)) ?? own[0] ?? null);
  }
  return { tests: tests.filter((test) => found.has(test)), ownerOf };
}

/** The last part of a name or an id. Whatever stands in a title, it is the same of both. */
function endOf(name: string): string {
  return name.split(/::|\.| > /).at(-1) ?? "";
}

/** An id as it is, without the number of a repeated title, and without parameters. */
function listForms(id: string): string[] {
  const once = id.replace(/ #\d+$/, "");
  return [id, once, once.replace(/(::[^[\n]*)\[.*\]$/s, "$1")];
}

/** Whether a test's id ends with this name: `file::Class.name[1]`, `file::Class::name`, `file > suite > name`. */
export function isTest(id: string, path: string, name: string): boolean {
  const names = [name, name.replaceAll(".", "::")];
  const isEnd = (form: string) =>
    names.some((end) => ["::", ".", " > "].some((before) => form.endsWith(`${before}${end}`)));
  if (!listForms(id).some(isEnd)) return false;
  return id.startsWith(path) || !/^[^ >:]+\.\w+( > |::)/.test(id);
}

const HARMLESS_WORDS = ["see", "also", "the", "notes", "on", "the", "cases", "above"];

/** A comment at the end of a file changes nothing for whoever only wants to pass its tests. */
export function addComment({ path, content, edits }: Spoiled): Spoiled {
  const mark = /\.py$/.test(path) ? "#" : /\.[cm]?[jt]sx?$/.test(path) ? "//" : null;
  if (mark === null) return { path, content, edits };
  const words = HARMLESS_WORDS.slice(0, 1 + (content.length % HARMLESS_WORDS.length)).join(" ");
  return { path, content: `${content}\n${mark} ${words}\n`, edits };
}
