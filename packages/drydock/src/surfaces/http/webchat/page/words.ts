const EN = {
  send: "Send",
  attach: "Attach files",
  write: "Write a message",
  connecting: "Connecting …",
  working: "Writing an answer …",
  failed: "This could not be answered. Please try again.",
  notSent: "Not sent. Click to try again.",
  stop: "Stop",
  gone: "This chat is closed.",
};

type Words = typeof EN;

const ZH: Words = {
  send: "发送",
  attach: "添加文件",
  write: "输入消息",
  connecting: "正在连接……",
  working: "正在回复……",
  failed: "无法回复，请重试。",
  notSent: "未发送。点击重试。",
  stop: "停止",
  gone: "此聊天已关闭。",
};

const JA: Words = {
  send: "送信",
  attach: "ファイルを添付",
  write: "メッセージを入力",
  connecting: "接続中…",
  working: "回答を作成中…",
  failed: "回答できませんでした。もう一度お試しください。",
  notSent: "送信できませんでした。クリックして再試行。",
  stop: "停止",
  gone: "このチャットは終了しました。",
};

/** The words of the reader's language, or English ones. */
export function chooseWords(languages: readonly string[]): { language: string; words: Words } {
  for (const language of languages) {
    if (language.startsWith("zh")) return { language: "zh", words: ZH };
    if (language.startsWith("ja")) return { language: "ja", words: JA };
    if (language.startsWith("en")) break;
  }
  return { language: "en", words: EN };
}
