import { createKeyStore } from "../signing/key-store.ts";

// Waits for a word, so that several of these begin at the same moment; then prints the id of the home's key.
const [home = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
process.stdin.once("data", async () => {
  process.stdout.write(`${(await createKeyStore(home).current()).info.id}\n`);
  process.exit(0);
});
