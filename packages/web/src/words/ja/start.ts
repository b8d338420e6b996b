import type { start as English } from "../en/start.ts";

export const start: typeof English = {
  "start.title": "エージェントの作業と、証明された結果",
  "start.text": "すべてサンドボックスで実行され、記録されます。チェックに合格するまで、ディレクトリは変更されません。",
  "start.try": "試してみる（言語モデルは不要）",
  "start.run": "実行する",
  "start.hello": "Python を少し動かす",
  "start.helloText": "出力、色、結果を、サンドボックスの報告どおりに表示します。",
  "start.chart": "グラフを描く",
  "start.chartText": "コードが表示した図は実行のファイルになり、ここに表示されます。",
  "start.locked": "コードから届かないものを見る",
  "start.lockedText": "ポリシーが許可しない限り、あなたのファイルにもネットワークにも届きません。",
  "start.running": "実行中",
  "start.passed": "チェックで証明済み",
  "start.unproven": "未証明",
  "start.failed": "失敗",
  "start.latest": "最近の実行",
  "start.all": "すべての実行",
};
