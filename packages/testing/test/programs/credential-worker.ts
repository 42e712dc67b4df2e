import { fileStore } from "@mortise/client/oauth/node";

const [path = "", task = "", rounds = "0"] = process.argv.slice(2);
const store = fileStore(path);

/** Counts up under the lock, reading and writing apart, so that any two that were let in at once would lose a count. */
async function countUp(): Promise<void> {
  for (let round = 0; round < Number(rounds); round += 1) {
    await store.lock("counter", async () => {
      const { count = 0 } = (await store.get("counter")) ?? {};
      await new Promise((resolve) => setTimeout(resolve, 1));
      await store.set("counter", { count: Number(count) + 1 });
    });
  }
  process.send?.("done");
}

/** Takes the lock and keeps it until the process is ended from outside. */
async function hold(): Promise<void> {
  await store.lock("counter", async () => {
    process.send?.("held");
    await new Promise((resolve) => process.once("message", resolve));
  });
}

process.once("disconnect", () => process.exit());
void (task === "hold" ? hold() : countUp()).then(() => process.disconnect?.());
