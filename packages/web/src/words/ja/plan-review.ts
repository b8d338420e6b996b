import type { planReview as English } from "../en/plan-review.ts";

export const planReview: typeof English = {
  "review.planTitle": "計画があなたを待っています",
  "review.planText":
    "承認するまで何も行われません。タスクが触れてよい範囲、結果が満たすべきこと、順序など、自由に変えられます。",
  "review.task": "タスク {number}",
  "review.addTask": "タスクを追加",
  "review.removeTask": "タスク {id} を削除",
  "review.title": "タイトル",
  "review.id": "名前",
  "review.tries": "試行回数",
  "review.instructions": "指示",
  "review.checks": "チェック",
  "review.checksHint": "一行に一つ：コマンド、または JSON のチェック。",
  "review.after": "先に必要なタスク",
  "review.approve": "承認",
  "review.approveChanged": "変更を加えて承認",
  "review.reject": "却下",
  "review.rejectText": "実行は終わり、何も行われません。理由は記録に残ります。",
  "review.undo": "提案どおりに戻す",
  "review.wrong": "{count} 個のタスクはこのままでは実行できません。",
  "review.name": "英数字と「.」「_」「-」、64 文字まで。",
  "review.taken": "別のタスクがこの名前を使っています。",
  "review.circle": "自分自身を待つことになります。",
  "review.noCheck": "タスクには少なくとも一つのチェックが必要です。",
  "review.attempts": "1 から 20 の整数。",
};
