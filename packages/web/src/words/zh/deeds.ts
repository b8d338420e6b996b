import type { deeds as English } from "../en/deeds.ts";

export const deeds: typeof English = {
  "deed.cancel": "取消",
  "deed.cancelText": "运行将结束，不会交付任何内容。",
  "deed.pause": "暂停",
  "deed.pauseText": "运行完成当前步骤后等待。之后可以继续，重启后也可以。",
  "deed.resume": "继续",
  "deed.resumeText": "运行从停止处继续。已记录的不会重做。",
  "deed.apply": "应用",
  "deed.applyText": "改动会写入目录，要么全部，要么全不。",
  "deed.revert": "撤销",
  "deed.revertText": "撤销交付，要么全部，要么全不。之后可以再次应用。",
  "deed.discard": "丢弃",
  "deed.discardText": "改动将不能再应用。运行仍保留在记录中。",
  "deed.retry": "重新运行",
  "deed.retryText": "将以相同的请求开始新的运行。",
  "deed.replay": "重放",
  "deed.replayText": "根据记录重新执行并比较，不使用模型，不交付任何内容。",
  "apply.allowUnproven": "我已阅读改动，虽未得到证明，仍要应用。",
  "apply.allowAutorun": "也可以交付会被其他程序自动执行的文件。",
};
