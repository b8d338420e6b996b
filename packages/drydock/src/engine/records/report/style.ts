/** The page's whole appearance. Its hash stands in the page's content security policy, so that no other style is used. */
export const STYLE = `
:root{color-scheme:light dark;--page:#f4f6f8;--card:#fff;--ink:#18212b;--muted:#586574;--line:#dde3e9;--code:#f1f4f7;--link:#1d5bb8;
--good:#17693a;--good-soft:#e2f4e8;--bad:#b3261e;--bad-soft:#fdeae8;--warn:#7a5200;--warn-soft:#fdf1d3;--doubt:#3a2b00;--doubt-soft:#ffdc52;--busy:#1d5bb8;--busy-soft:#e6effc;--idle:#586574;--idle-soft:#eceff3}
@media (prefers-color-scheme:dark){:root{--page:#0e1319;--card:#161d25;--ink:#e4eaf0;--muted:#9aa7b5;--line:#2b3643;--code:#0f151c;--link:#86b4ff;
--good:#6bd898;--good-soft:#12301f;--bad:#ff958c;--bad-soft:#3b1b1a;--warn:#efc366;--warn-soft:#352a10;--doubt:#241a00;--doubt-soft:#f0c63f;--busy:#86b4ff;--busy-soft:#17273f;--idle:#9aa7b5;--idle-soft:#222c37}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
main{max-width:1104px;margin:0 auto;padding:24px 16px 48px}
h1,h2,h3,p,ul,ol,dl,dd,pre,blockquote{margin:0}
h1{font-size:26px;line-height:1.25;font-weight:650;white-space:pre-wrap;text-wrap:balance}
h2{font-size:19px;line-height:1.3;margin-bottom:12px}
h3{font-size:17px;line-height:1.4}
a{color:var(--link)}
code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.88em}
pre{background:var(--code);border:1px solid var(--line);border-radius:8px;padding:10px 12px;overflow-x:auto;line-height:1.45;white-space:pre;tab-size:4}
pre code{font-size:1em}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px 22px;margin-bottom:18px}
.quiet{color:var(--muted)}
.note{color:var(--warn);font-size:.9em;margin:6px 0}
.scroll{overflow-x:auto}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.head{border-top:5px solid var(--idle)}
.head.good{border-top-color:var(--good)}.head.bad{border-top-color:var(--bad)}.head.warn{border-top-color:var(--warn)}.head.doubt{border-top-color:var(--doubt-soft)}
.kicker{color:var(--muted);font-size:.9em;margin-bottom:6px}
.verdict{display:flex;gap:14px;align-items:center;margin:18px 0}
.why{margin:-6px 0 16px;white-space:pre-wrap}
.verdict strong{font-size:19px}
.verdict .badge{font-size:1rem;letter-spacing:.04em;margin-bottom:3px}
.seal{flex:none;width:46px;height:46px;border-radius:50%;display:grid;place-items:center;font-size:23px;font-weight:700}
.good{--tone:var(--good);--soft:var(--good-soft)}.bad{--tone:var(--bad);--soft:var(--bad-soft)}.warn{--tone:var(--warn);--soft:var(--warn-soft)}
.doubt{--tone:var(--doubt);--soft:var(--doubt-soft)}
.busy{--tone:var(--busy);--soft:var(--busy-soft)}.idle{--tone:var(--idle);--soft:var(--idle-soft)}
.seal,.badge,.square{background:var(--soft);color:var(--tone)}
.badge{display:inline-block;border-radius:999px;padding:1px 10px;font-size:.86rem;font-weight:600;white-space:nowrap}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));gap:12px 24px}
.facts .wide{grid-column:1/-1}
dt{color:var(--muted);font-size:.86em}
.hash{overflow-wrap:anywhere}
.error{background:var(--bad-soft);border-radius:8px;padding:10px 14px;margin-bottom:16px;white-space:pre-wrap}
.error p{white-space:pre-wrap}
.plan{display:block;font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.plan .edge{fill:none;stroke:var(--muted);stroke-width:1.5;opacity:.75}
.plan marker path{fill:var(--muted)}
.node rect{fill:var(--card);stroke:var(--tone);stroke-width:1.5}
.node circle{fill:var(--soft);stroke:none}
.node .symbol{fill:var(--tone);font-size:14px;font-weight:700;text-anchor:middle}
.node .id{fill:var(--ink);font-weight:650}
.node .title{fill:var(--muted);font-size:12px}
.node:hover rect{fill:var(--soft)}
.squares{display:flex;flex-wrap:wrap;gap:3px}
.square{width:20px;height:20px;border-radius:4px;display:grid;place-items:center;font-size:12px;text-decoration:none}
.legend{display:flex;flex-wrap:wrap;gap:6px;margin-top:14px}
.task header{margin-bottom:12px}
.task .id{color:var(--muted);font-weight:600}
.reason-line{border-left:3px solid var(--bad);padding-left:12px;margin-bottom:12px;white-space:pre-wrap}
.instructions{white-space:pre-wrap;margin-bottom:8px}
summary{cursor:pointer}
.fold{margin:10px 0}
.fold>summary{color:var(--ink);font-weight:600}
.fold>summary .quiet{font-weight:400}
.fold[open]>summary{margin-bottom:8px}
.attempt{border:1px solid var(--line);border-radius:10px;margin-top:12px}
.attempt>summary{padding:10px 14px}
.attempt>summary .name{font-weight:650;margin-right:4px}
.attempt[open]>summary{border-bottom:1px solid var(--line)}
.inside{padding:14px}
.trees{margin-bottom:10px;color:var(--muted)}
blockquote{border-left:3px solid var(--line);padding:2px 12px;margin:0 0 12px;white-space:pre-wrap}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-size:.86em;color:var(--muted);font-weight:600;padding:4px 10px 4px 0;border-bottom:1px solid var(--line)}
th.number{text-align:right}
td{vertical-align:top;padding:8px 10px 8px 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
tbody tr:last-child td{border-bottom:0}
.checks{table-layout:fixed;margin-bottom:10px}
.checks th:nth-child(1){width:112px}.checks th:nth-child(2){width:34%}.checks th:nth-child(4){width:76px}
.type{font-weight:650}
.subject code{color:var(--muted);overflow-wrap:anywhere;white-space:pre-wrap}
.remark{font-size:.86em;color:var(--muted)}
.remark.warn{color:var(--warn)}
.reason{white-space:pre-wrap}
.reason-line.warn{border-left-color:var(--warn)}
h2 .quiet{font-size:.78em;font-weight:400;margin-left:6px}
.proof{margin:6px 0;font-size:.93em}
.proof details{margin:2px 0}
.proof .line{color:var(--tone)}
.proof .line.idle{color:var(--muted)}
.tests{display:block;width:100%;max-width:420px;margin:5px 0 7px;border-radius:4px}
.tests .fresh{fill:var(--busy)}.tests .good{fill:var(--good)}.tests .warn{fill:var(--warn)}.tests .idle{fill:var(--idle)}.tests .bad{fill:var(--bad)}
.ids{list-style:none;padding:2px 0 4px 16px}
.ids code{overflow-wrap:anywhere}
.ids pre{margin:4px 0 6px}
.evidence dt{margin-top:6px}
.evidence pre{max-height:340px;overflow:auto}
.evidence code{overflow-wrap:anywhere}
.diff{padding:8px 0}
.diff code{display:inline-block;min-width:100%}
.diff span{display:block;padding:0 12px}
.diff .added{background:var(--good-soft);color:var(--good)}
.diff .removed{background:var(--bad-soft);color:var(--bad)}
.diff .hunk{color:var(--link)}
.diff .file{font-weight:650}
.plus,.ok>span,.entries .added>span:first-child{color:var(--good)}
.minus,.not-ok,.entries .deleted>span:first-child{color:var(--bad)}
.not-ok code{color:var(--ink)}
.tools,.rework ul{padding-left:22px}
.rework{background:var(--warn-soft);border-radius:8px;padding:10px 14px;margin-top:12px}
.rework li{white-space:pre-wrap}
.entries{list-style:none;padding:0;columns:340px;margin-top:4px}
.entries li{break-inside:avoid;overflow-wrap:anywhere}
.steps{padding-left:20px;margin-bottom:10px}
.plain td{padding-top:4px;padding-bottom:4px}
.timeline{font-size:.9em}
.timeline td:last-child{min-width:220px}
footer{color:var(--muted);font-size:.86em}
footer code{overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media (max-width:680px){main{padding:10px 8px 32px}.card{padding:16px 14px}h1{font-size:21px}.inside{padding:12px 10px}
.checks,.checks tbody,.checks tr,.checks td{display:block;width:auto}.checks thead{display:none}.checks tr{border-bottom:1px solid var(--line);padding:8px 0}
.checks tbody tr:last-child{border-bottom:0}.checks td{border:0;padding:2px 0}.checks td.number{text-align:left;color:var(--muted)}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--muted:#444;--line:#bbb;--code:#fff;--link:#000;--good:#17693a;--good-soft:#e2f4e8;
--bad:#b3261e;--bad-soft:#fdeae8;--warn:#7a5200;--warn-soft:#fdf1d3;--doubt:#3a2b00;--doubt-soft:#ffdc52;--busy:#1d5bb8;--busy-soft:#e6effc;--idle:#444;--idle-soft:#eee}
body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}.card{border-radius:0;break-inside:auto}
.card,.attempt{box-shadow:none}h2,h3,summary{break-after:avoid}tr,.node{break-inside:avoid}pre{white-space:pre-wrap;overflow-wrap:anywhere;max-height:none}
.evidence pre{max-height:none}.diff code{display:block}.scroll{overflow:visible}.plan{max-width:100%;height:auto}details::details-content{content-visibility:visible;block-size:auto}}
`;
