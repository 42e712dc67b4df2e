import type { Message } from "../line.js";

/** Who hears what is in an answer. */
export interface Reader {
  message(message: Message): void;
  /** An event that is no message, by its name. */
  other?(name: string, data: string): void;
  /** The id of an event, before what it holds. */
  id?(id: string): void;
}

/** Reads everything there is in an answer, while it comes. */
export async function readMessages(response: Response, reader: Reader): Promise<void> {
  const type = response.headers.get("content-type");
  if (type === "application/json") {
    for (const message of [await response.json()].flat()) reader.message(message as Message); // whatever it is, a test looks at it
    return;
  }
  if (type !== "text/event-stream") return void (await response.body?.cancel());
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) readEvent(event, reader);
  }
}

function readEvent(event: string, { message, other, id: onId }: Reader): void {
  const [, id] = /^id: ?(.+)$/m.exec(event) ?? [];
  const [, data] = /^data: ?(\S.*)$/m.exec(event) ?? [];
  const [, name = "message"] = /^event: ?(.+)$/m.exec(event) ?? [];
  if (id !== undefined) onId?.(id);
  if (data === undefined) return;
  if (name !== "message") other?.(name, data);
  else for (const each of [JSON.parse(data) as Message | Message[]].flat()) message(each); // likewise
}
