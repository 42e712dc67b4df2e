import type { JsonRpcMessage, PipeEvents, PipeTransport } from "@mortise/core";

/** A server's end of a pipe inside this process. */
export interface InMemoryConnection {
  receive(message: unknown): void;
  close(): void;
}

/** Whatever can serve one pipe, such as an `MCPServer`. */
export interface InMemoryServer {
  connectPipe(pipe: { readonly transport: string; write(text: string): void; onClose(): void }): InMemoryConnection;
}

/**
 * Connects to a server in the same process: pass the result as `transport`. Messages are copied on the way, as any other
 * transport would, so that neither side sees the other's objects.
 *
 * @example
 * const client = new MCPClient({ transport: connectInMemory(server) });
 */
export function connectInMemory(server: InMemoryServer): PipeTransport {
  let connection: InMemoryConnection | undefined;
  let events: PipeEvents | undefined;
  function end(): void {
    const ended = events;
    events = undefined;
    connection = undefined;
    ended?.onClose();
  }
  return {
    start(listener) {
      events = listener;
      connection = server.connectPipe({
        transport: "memory",
        write(text) {
          // Later, as from any other transport: the sender has to be ready for its answer.
          queueMicrotask(() => events?.onMessage(JSON.parse(text)));
        },
        onClose: end,
      });
      return Promise.resolve();
    },
    send(message: JsonRpcMessage) {
      connection?.receive(JSON.parse(JSON.stringify(message)));
    },
    close() {
      connection?.close();
      end();
      return Promise.resolve();
    },
  };
}
