import { createFetchLayer } from "./fetch-layer.js";
import type { Platform } from "./platform.js";

/** Browsers, workers and other runtimes: the global `fetch`, and no processes. */
export const platform: Platform = {
  createHttpLayer: () => createFetchLayer((input, init) => fetch(input, init)),
  createFetchLayer,
  async createProcess() {
    const { refuseProcess } = await import("./no-processes.js");
    throw refuseProcess();
  },
  decode(chunks) {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  },
  log(line) {
    // biome-ignore lint/suspicious/noConsole: outside Node there is no stderr, and the console stands for it
    console.error(line);
  },
};
