import type { Stage } from "./index.js";

/** The levels of log messages, the least severe first. */
export const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

/** Tools that say something on the way, or take long. */
export function addWorkers({ server, count, whenRun }: Stage): void {
  server.tool("progress", {}, async (_, { progress }) => {
    await progress(1, 3, "begun");
    await progress(1, 3, "again");
    await progress(2, 3);
    return "done";
  });
  server.tool("chatter", {}, async (_, { log }) => {
    for (const level of LEVELS) await log(level, { about: level }, "chatter");
    return "done";
  });
  server.tool("poll", {}, async (_, { closeStream, progress }) => {
    await progress(1);
    closeStream({ retry: 0 });
    await progress(2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return "polled";
  });
  server.tool("wait", {}, async (_, { progress, signal }) => {
    await progress(1);
    count("wait");
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await Promise.race([aborted, whenRun("release")]);
    count(signal.aborted ? "wait aborted" : "wait released");
    return "waited";
  });
  server.tool("give up", {}, async (_, { signal }) => {
    count("give up");
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("given up"))));
  });
  server.tool("release", {}, () => {
    count("release");
    return "released";
  });
}
