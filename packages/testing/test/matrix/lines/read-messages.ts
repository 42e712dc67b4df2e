import type { Message } from "../line.js";

/** Reads everything there is in an answer, while it comes. An event that is no message is given to `onOther`, by its name. */
export async function readMessages(
  response: Response,
  onMessage: (message: Message) => void,
  onOther: (name: string, data: string) => void = () => undefined,
): Promise<void> {
  const type = response.headers.get("content-type");
  if (type === "application/json") {
    for (const message of [await response.json()].flat()) onMessage(message as Message); // whatever it is, a test looks at it
    return;
  }
  if (type !== "text/event-stream") return void (await response.body?.cancel());
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) readEvent(event, onMessage, onOther);
  }
}

function readEvent(
  event: string,
  onMessage: (message: Message) => void,
  onOther: (name: string, data: string) => void,
): void {
  const [, data] = /^data: ?(.+)$/m.exec(event) ?? [];
  const [, name = "message"] = /^event: ?(.+)$/m.exec(event) ?? [];
  if (data === undefined) return;
  if (name !== "message") onOther(name, data);
  else for (const message of [JSON.parse(data) as Message | Message[]].flat()) onMessage(message); // likewise
}
