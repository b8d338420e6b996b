import type { signIn as English } from "../en/sign-in.ts";

export const signIn: typeof English = {
  "signIn.title": "Drydock にサインイン",
  "signIn.busy": "サインインしています…",
  "signIn.text": "サーバーのマシンで次のコマンドを実行すると、サインイン済みのコンソールが開きます。",
  "signIn.token": "または、受け取ったトークンを使う",
  "signIn.verb": "サインイン",
};
