import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPython } from "../../source/testing/run-python.ts";
import { spoilExpectations } from "./spoil-expectations.ts";
import { C_CASES, CPP_CASES, PERL_CASES, RUST_CASES } from "./testing/token-cases.ts";

const directory = mkdtempSync(join(tmpdir(), "tokens-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function spoil(path: string, text: string): Promise<string> {
  const [spoiled] = await spoilExpectations([{ path, text }], { runPython, salt: "s" });
  return spoiled?.content ?? text;
}

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

/** A language whose cases are compiled: each case is a program, its `main` between what all have and `end`. */
interface Compiled {
  file: string;
  compiler: readonly string[];
  subject: string;
  /** The line before a case. `NAME` stands for the name of the function. */
  start: string;
  end: string;
  /** A `main` that calls the one of these cases whose place is the only argument. */
  choose(members: readonly number[]): string;
}

/**
 * All cases in one program, as they are and spoiled, each one spoiled by itself: a compiler takes longer to start than
 * to compile a case. Those for which something else has become of what all have are a program of their own.
 */
async function compileCases(language: Compiled, cases: readonly string[]) {
  const { file, subject, start, end } = language;
  const asMain = start.replace("NAME", "main");
  const honest = cases.map((body) => `${subject}${asMain}${body}${end}`);
  const spoiled = await Promise.all(honest.map((text) => spoil(file, text)));
  const compile = (kind: string, texts: readonly string[]) => {
    const parts = texts.map((text) => text.split(asMain));
    const programs = Object.entries(Object.groupBy(parts.keys(), (at) => parts[at]?.[0] ?? "")).map(([head, group]) => {
      const members = group ?? [];
      const functions = members.map((at) => `${start.replace("NAME", `case_${at}`)}${parts[at]?.[1]}`);
      const source = join(directory, `${kind}-${members[0]}-${file}`);
      writeFileSync(source, [head, ...functions, language.choose(members)].join(""));
      const [command = "", ...options] = language.compiler;
      const program = `${source}.program`;
      const { status, stderr } = spawnSync(command, [...options, "-o", program, source], { encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
      return { program, members };
    });
    /** The status of the program of this case. */
    return (body: string) => {
      const { program = "", members = [] } = programs.find((each) => each.members.includes(cases.indexOf(body))) ?? {};
      return spawnSync(program, [String(members.indexOf(cases.indexOf(body)))], { encoding: "utf8" }).status ?? 128;
    };
  };
  return { honest: compile("honest", honest), spoiled: compile("spoiled", spoiled) };
}

const C: Compiled = {
  file: "test.c",
  compiler: ["gcc", "-Werror=int-conversion", "-Werror=incompatible-pointer-types"],
  subject: `#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int add(int a, int b) { return a + b; }
static const char *greet(void) { return "hello"; }
static bool is_good(int a) { return a > 0; }
static int failures = 0;
static void check(int got, int want) { if (got != want) failures++; }
static void check_named(const char *name, int got, int want) { if (got != want) { puts(name); exit(1); } }
static void expect_text(const char *got, const char *want) { if (strcmp(got, want)) exit(1); }
#define ASSERT_EQ(a, b) do { if ((a) != (b)) return 1; } while (0)
#define CHECK(x, message) do { if (!(x)) { puts(message); return 1; } } while (0)
#define mu_assert(message, test) do { if (!(test)) { puts(message); return 1; } } while (0)
`,
  start: "int NAME(void) {\n",
  end: "\n  return failures;\n}\n",
  choose: (members) =>
    `int main(int count, char **words) {\n  int (*all[])(void) = {${members.map((at) => `case_${at}`)}};\n  return all[atoi(words[1])]();\n}\n`,
};

const CPP: Compiled = {
  file: "test.cc",
  compiler: ["g++"],
  subject: `#include <cassert>\n#include <cstdlib>\n#include <stdexcept>\n#include <string>\n#include <vector>
static int add(int a, int b) { return a + b; }\nstatic std::string greet() { return "hello"; }
template <class T> bool same(const T &a, const T &b) { return a == b; }
#define REQUIRE(x) do { if (!(x)) return 1; } while (0)
#define EXPECT_EQ(a, b) do { if (!((a) == (b))) return 1; } while (0)
`,
  start: "int NAME() {\n",
  end: "\n  return 0;\n}\n",
  choose: C.choose,
};

const RUST: Compiled = {
  file: "test.rs",
  compiler: ["rustc"],
  subject: `#![allow(dead_code)]\nfn add(a: i32, b: i32) -> i32 { a + b }\nfn greet() -> String { "hello".to_string() }
fn find(a: u8) -> Option<u8> { Some(a) }\nfn good() -> bool { true }\nfn same<'a>(a: &'a str) -> &'a str { a }
`,
  start: "fn NAME() {\n",
  end: "\n}\n",
  choose: (members) =>
    `fn main() {\n  let all: &[fn()] = &[${members.map((at) => `case_${at}`)}];\n  all[std::env::args().nth(1).unwrap().parse::<usize>().unwrap()]();\n}\n`,
};

describe.each([
  ["C", "gcc", C, C_CASES],
  ["C++", "g++", CPP, CPP_CASES],
  ["Rust", "rustc", RUST, RUST_CASES],
] as const)("a spoiled program in %s", (_name, compiler, language, cases) => {
  const isThere = has(compiler);
  let run: Awaited<ReturnType<typeof compileCases>>;
  beforeAll(async () => {
    if (isThere) run = await compileCases(language, cases);
  });

  it.skipIf(compiler !== "gcc" && !isThere).each(cases)("compiles, and fails for an honest program: %s", (body) => {
    expect(run.honest(body)).toBe(0);
    expect(run.spoiled(body)).not.toBe(0);
  });
});

const PERL_SUBJECT = `use strict;
use warnings;
use Test::More;
sub add { $_[0] + $_[1] }
sub greet { "hello" }
my $want = 5;
my @list = (1, 2);
`;

it.each(PERL_CASES)("a spoiled program in Perl fails for an honest one: %s", async (body) => {
  const text = `${PERL_SUBJECT}${body}\nok(1);\ndone_testing();\n`;
  const run = (each: string) => spawnSync("perl", ["-"], { input: each, encoding: "utf8" });
  expect(run(text)).toMatchObject({ status: 0 });
  const spoilt = run(await spoil("t/add.t", text));
  expect(spoilt.status).not.toBe(0);
  expect(spoilt.stderr).not.toMatch(/syntax error|Global symbol|compilation errors/);
});

describe("a test in a language without a parser is edited as a person would", () => {
  it.each([
    [
      "a_test.go",
      'if got := Add(2, 3); got != 5 {\n\tt.Errorf("got %d", got)\n}',
      'if got := Add(2, 3); got != 6 {\n\tt.Errorf("got %d", got)\n}',
    ],
    ["a_test.go", "if got != tt.want {\n\tt.Fatal(got)\n}", "if got == tt.want {\n\tt.Fatal(got)\n}"],
    ["a_test.go", 'assert.Equal(t, 5, Add(2, 3), "adds")', 'assert.Equal(t, 6, Add(2, 3), "adds")'],
    ["a_test.go", "require.Equal(t, []int{1, 2}, List())", "require.Equal(t, []int{1, 3}, List())"],
    ["a_test.go", "assert.True(t, Good(1))", "assert.True(t, !(Good(1)))"],
    ["ATest.java", "assertEquals(5, Calc.add(2, 3));", "assertEquals(6, Calc.add(2, 3));"],
    ["ATest.java", 'assertEquals("adds", 5, Calc.add(2, 3));', 'assertEquals("adds", 6, Calc.add(2, 3));'],
    ["ATest.java", "assertThat(calc.add(2, 3)).isEqualTo(5);", "assertThat(calc.add(2, 3)).isEqualTo(6);"],
    ["ATest.java", "assertThat(calc.add(2, 3), is(5));", "assertThat(calc.add(2, 3), is(6));"],
    ["ATest.java", 'assert Calc.add(2, 3) == 5 : "adds";', 'assert Calc.add(2, 3) == 6 : "adds";'],
    ["ATest.java", "assertThrows(Bad.class, () -> calc.add(2, 3));", "assertThrows(Bad.class, () -> calc.add(2, 3));"],
    ["a_spec.rb", "expect(add(2, 3)).to eq(5)", "expect(add(2, 3)).to eq(6)"],
    ["a_spec.rb", "expect(add(2, 3)).to eq 5", "expect(add(2, 3)).to eq 6"],
    ["a_spec.rb", "expect(add(2, 3)).not_to eq(6)", "expect(add(2, 3)).not_to eq(6)"],
    ["test_a.rb", "assert_equal 5, add(2, 3)", "assert_equal 6, add(2, 3)"],
    ["test_a.rb", "assert_equal want, add(2, 3)", "refute_equal want, add(2, 3)"],
    ["test_a.rb", 'raise "no" unless add(2, 3) == 5', 'raise "no" unless add(2, 3) == 6'],
    ["test_a.rb", "require 'calc'", "require 'calc'"],
    ["ATest.php", "$this->assertSame(5, add(2, 3));", "$this->assertSame(6, add(2, 3));"],
    ["test_a.lua", "assert(add(2, 3) == 5, 'adds')", "assert(add(2, 3) == 6, 'adds')"],
    ["test_a.lua", "if add(2, 3) ~= 5 then error('no') end", "if add(2, 3) ~= 6 then error('no') end"],
    ["ATests.cs", "Assert.AreEqual(5, Calc.Add(2, 3));", "Assert.AreEqual(6, Calc.Add(2, 3));"],
    ["ATests.cs", "calc.Add(2, 3).Should().Be(5);", "calc.Add(2, 3).Should().Be(6);"],
    ["ATests.swift", "XCTAssertEqual(add(2, 3), 5)", "XCTAssertEqual(add(2, 3), 6)"],
    ["ATest.kt", "add(2, 3) shouldBe 5", "add(2, 3) shouldBe 6"],
    ["a.c", 'static_assert(sizeof(int) == 4, "int");', 'static_assert(sizeof(int) == 4, "int");'],
    ["a.c", "#if VERSION == 5\n#error no\n#endif", "#if VERSION == 5\n#error no\n#endif"],
    ["a.c", "// assert(a == 5)\n/* assert(a == 5) */", "// assert(a == 5)\n/* assert(a == 5) */"],
    ["a.c", "bool check(int a, int b);", "bool check(int a, int b);"],
    ["a.c", "thing_t check(int a) { return a; }", "thing_t check(int a) { return a; }"],
    ["a.c", "assert(a == 255);", "assert(a == 254);"],
    ["a.c", "assert(a == 0x1fUL);", "assert(a == 0x1eUL);"],
    ["a.c", "assert(a == 'x');", "assert(a == 'y');"],
    ["a.c", "g_assert_cmpint(add(2, 3), ==, 5);", "g_assert_cmpint(add(2, 3), ==, 6);"],
    ["a.c", "TEST_ASSERT_EQUAL_INT(5, add(2, 3));", "TEST_ASSERT_EQUAL_INT(6, add(2, 3));"],
    ["a.c", "ck_assert_int_eq(add(2, 3), 5);", "ck_assert_int_eq(add(2, 3), 6);"],
  ])("%s: %s", async (path, before, after) => {
    expect(await spoil(path, before)).toBe(after);
  });
});
