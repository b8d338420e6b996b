import type { start as English } from "../en/start.ts";

export const start: typeof English = {
  "start.title": "代理做了什么，证明了什么",
  "start.text": "一切都在沙箱中运行并留有记录。检查通过之前，任何改动都不会进入目录。",
  "start.try": "试一试：不需要语言模型",
  "start.run": "运行",
  "start.hello": "运行一小段 Python",
  "start.helloText": "查看沙箱报告的输出、颜色和结果。",
  "start.chart": "画一张图表",
  "start.chartText": "代码展示的图片会成为运行的文件，并显示在这里。",
  "start.locked": "看看代码够不到什么",
  "start.lockedText": "除非策略允许，否则无法访问你的文件和网络。",
  "start.running": "进行中",
  "start.passed": "经检查证明",
  "start.unproven": "未证明",
  "start.failed": "失败",
  "start.latest": "最近的运行",
  "start.all": "全部运行",
};
