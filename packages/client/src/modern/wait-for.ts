import type { RequestControl } from "../era.js";

/**
 * Waits for something else than the server, such as the user: the timeout is held, and only the total goes on. Rejects, and aborts
 * the signal, as soon as the request is given up.
 */
export async function waitFor<T>(control: RequestControl, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  control.pause();
  try {
    return await control.orStopped(() => work(waiting.signal));
  } catch (error) {
    waiting.abort(error);
    throw error;
  } finally {
    control.resume();
  }
}
