// Runs the suite in a dedicated worker of a page: reads where the servers are from its first message.
import { runChecks, type Targets } from "../smoke/check.js";
import { SUITE } from "../smoke/suite.js";

addEventListener("message", async ({ data }: MessageEvent<Targets>) => {
  postMessage(await runChecks(SUITE, data));
});
