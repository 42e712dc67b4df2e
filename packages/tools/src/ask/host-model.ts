import type { HandlerContext } from "@mortise/server";
import { ToolFailure } from "../tool-failure.js";
import type { Asker } from "./asker.js";

/** Makes what asks the client's own model. */
export function createHostAsker(_context: HandlerContext, _onProgress: (message: string) => void): Asker {
  const refuse = (): Promise<never> => Promise.reject(new ToolFailure("The client's model cannot be asked"));
  return { text: refuse, json: refuse, image: refuse };
}
