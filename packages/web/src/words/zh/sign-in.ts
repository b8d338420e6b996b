import type { signIn as English } from "../en/sign-in.ts";

export const signIn: typeof English = {
  "signIn.title": "登录 Drydock",
  "signIn.busy": "正在登录……",
  "signIn.text": "在服务器所在的机器上运行以下命令，即可打开已登录的控制台：",
  "signIn.token": "或使用你收到的令牌",
  "signIn.verb": "登录",
};
