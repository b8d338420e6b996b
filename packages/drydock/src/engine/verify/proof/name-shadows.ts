import type { JudgedTree } from "../judged-tree.ts";
import type { ObservedShadow } from "./observed-shadows.ts";
import type { TestInput } from "./test-inputs.ts";

const MAX_FILES = 200;
const INCLUDE = /^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm;
const USE = /^[ \t]*(?:use|require)[ \t]+([A-Za-z_]\w*(?:::\w+)*)/gm;
const REQUIRE = /\brequire\s*\(?\s*["']([\w./-]+)["']/g;

/** Headers that come with C and C++, and those of test frameworks: a test finds them outside of the tree. */
const HEADERS = new Set(
  [
    "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h",
    "stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h",
    "threads.h time.h uchar.h wchar.h wctype.h unistd.h fcntl.h pthread.h strings.h err.h sys/types.h sys/stat.h",
    "sys/wait.h sys/time.h cassert cctype cerrno cfloat climits cmath csetjmp csignal cstdarg cstddef cstdint cstdio",
    "cstdlib cstring ctime algorithm array exception functional iostream fstream sstream map memory optional set",
    "stdexcept string string_view tuple utility vector gtest/gtest.h gmock/gmock.h catch.hpp catch2/catch_all.hpp",
    "catch2/catch_test_macros.hpp doctest.h doctest/doctest.h boost/test/unit_test.hpp boost/test/included/unit_test.hpp",
    "check.h cmocka.h criterion/criterion.h CUnit/CUnit.h CUnit/Basic.h unity.h tap.h glib.h",
  ].flatMap((line) => line.split(" ")),
);
/** Modules of Perl and Ruby and Lua that tests ask for. */
const MODULES =
  /^(?:Test\d?(?:::\w+)+|strict|warnings|POSIX|Carp|Exporter|(?:Scalar|List|Hash)::Util|Data::Dumper|File::\w+|IO::\w+|Time::\w+|Cwd|FindBin|lib|parent|base|constant|utf8|feature|overload|Encode|JSON::PP)$/;
const LIBRARIES =
  /^(?:minitest(?:\/\w+)?|test\/unit|rspec(?:\/\w+)?|luaunit|busted|luassert|set|json|stringio|tempfile)$/;

/**
 * An added file with the name of a header or module that a test of the untouched tree finds outside of it: a compiler looks
 * into the tree first. What the tree is to bring with it, such as `calc.h`, may be added: only names that others own count.
 */
export async function findNameShadows(
  added: readonly string[],
  inputs: ReadonlyMap<string, TestInput>,
  before: JudgedTree,
): Promise<ObservedShadow[]> {
  const candidates = added.filter((path) => /\.(h|hh|hpp|pm|rb|lua)$|(^|\/)[a-z_0-9]+$/.test(path));
  if (candidates.length === 0) return [];
  const judges = [...inputs].filter(([, { kind }]) => kind !== "data" && kind !== "settings").slice(0, MAX_FILES);
  const found = new Map<string, string>();
  for (const [judge] of judges) {
    const text = (await before.read(judge))?.toString() ?? "";
    for (const { name, files } of listLibraryReferences(text)) {
      const path = candidates.find((each) => files.some((file) => each === file || each.endsWith(`/${file}`)));
      if (path !== undefined)
        found.set(path, `takes the place of ${name}, which ${judge} finds outside of the workspace`);
    }
  }
  return [...found].map(([path, why]) => ({ path, why }));
}

interface LibraryReference {
  name: string;
  /** How its file may be called. */
  files: string[];
}

function listLibraryReferences(text: string): LibraryReference[] {
  const namesOf = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  return [
    ...namesOf(INCLUDE)
      .filter((name) => HEADERS.has(name))
      .map((name) => ({ name, files: [name] })),
    ...namesOf(USE)
      .filter((name) => MODULES.test(name))
      .map((name) => ({ name, files: [`${name.replaceAll("::", "/")}.pm`] })),
    ...namesOf(REQUIRE)
      .filter((name) => LIBRARIES.test(name))
      .map((name) => ({ name, files: [`${name}.rb`, `${name}.lua`] })),
  ];
}
