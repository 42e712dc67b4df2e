import type { JsonRpcMessage, PipeEvents, PipeTransport } from "@mortise/core";
import type { Message } from "./fake-http.js";

/** A scripted server behind a pipe: every message of the client goes to the script. */
export interface FakePipe extends PipeTransport {
  readonly log: Message[];
  methods(): string[];
  /** Sends anything to the client. */
  emit(message: unknown): void;
  /** Ends the pipe, as a server that exits. */
  end(error?: Error): void;
  readonly closes: number;
}

export interface PipeReply {
  readonly message: Message;
  readonly pipe: FakePipe;
  result(result: unknown): void;
  error(code: number, message: string, data?: unknown): void;
}

/** Makes a pipe whose answers come from the script, later. */
export function createFakePipe(script: (reply: PipeReply) => void): FakePipe {
  const log: Message[] = [];
  let events: PipeEvents | undefined;
  let closes = 0;
  const pipe: FakePipe = {
    log,
    methods: () => log.map(({ method }) => method ?? "response"),
    get closes() {
      return closes;
    },
    emit: (message) => events?.onMessage(message),
    end: (error) => events?.onClose(error),
    start(listener) {
      events = listener;
      return Promise.resolve();
    },
    send(sent: JsonRpcMessage) {
      const message = JSON.parse(JSON.stringify(sent)) as Message;
      log.push(message);
      const answer = (rest: object): void =>
        void setTimeout(() => pipe.emit({ jsonrpc: "2.0", id: message.id, ...rest }), 0);
      script({
        message,
        pipe,
        result: (result) => answer({ result }),
        error: (code, text, data) => answer({ error: { code, message: text, data } }),
      });
    },
    close() {
      closes += 1;
      return Promise.resolve();
    },
  };
  return pipe;
}
