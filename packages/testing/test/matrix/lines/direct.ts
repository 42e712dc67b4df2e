import type { Message, OpenLine } from "../line.js";

/** No transport at all: decoded messages, one by one. */
export const openDirectLine: OpenLine = async ({ server, revision, hearing }) => {
  const leaving = new Map<unknown, AbortController>();
  return {
    async send(message) {
      const { id } = message as Message; // a test wrote it
      const controller = new AbortController();
      leaving.set(id, controller);
      const response = server.handle(message, {
        protocolVersion: revision,
        signal: controller.signal,
        send: (notice) => hearing.message(notice),
      });
      void response.then((answer) => {
        if (answer !== null) hearing.message(answer);
        hearing.over(id);
      });
      return undefined;
    },
    leave: (id) => leaving.get(id)?.abort(),
    close: async () => undefined,
  };
};
