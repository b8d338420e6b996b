import type { deeds as English } from "../en/deeds.ts";

export const deeds: typeof English = {
  "deed.cancel": "キャンセル",
  "deed.cancelText": "実行を終了します。何も届けられません。",
  "deed.pause": "一時停止",
  "deed.pauseText": "現在のステップを終えて待機します。再起動後でも再開できます。",
  "deed.resume": "再開",
  "deed.resumeText": "停止した所から続けます。記録済みの作業は繰り返しません。",
  "deed.apply": "適用",
  "deed.applyText": "変更をディレクトリに反映します。全部か、まったくしないかのどちらかです。",
  "deed.revert": "元に戻す",
  "deed.revertText": "反映を取り消します。後で再び適用できます。",
  "deed.discard": "破棄",
  "deed.discardText": "変更は適用できなくなります。実行の記録は残ります。",
  "deed.retry": "もう一度実行",
  "deed.retryText": "同じ内容で新しい実行を始めます。",
  "deed.from": "タスクから再開",
  "deed.fromText":
    "新しい実行が、そのタスクより前に証明された内容を引き継ぎます。タスクとそれに依存するものをやり直し、変更はあなたの判断を待ちます。",
  "from.task": "タスク",
  "from.taskHint": "最初のタスクを選ぶと、すべてやり直します。",
  "from.modelHint": "空欄：この実行と同じ。",
  "deed.replay": "リプレイ",
  "deed.replayText": "記録から、モデルを使わずに再実行して比較します。何も届けられません。",
  "apply.allowUnproven": "変更を読みました。証明されていなくても適用します。",
  "apply.allowAutorun": "他のプログラムが自動実行するファイルも反映してよい。",
};
