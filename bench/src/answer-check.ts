/**
 * Compares every answer with the first one, byte for byte apart from the request id, after the first one was read and checked
 * in full. So each answer is checked, and the load generator stays cheap.
 */
export interface AnswerCheck {
  /** Throws when the answer to request `id` is not the one due. */
  check(id: number, body: Buffer): void;
}

const ID_WIDTH = 7;

/** `read` looks at the first answer in full and throws when it is wrong. */
export function createAnswerCheck(read: (id: number, text: string) => void): AnswerCheck {
  let expected: Buffer | undefined;
  let at = -1;

  function learn(id: number, body: Buffer): void {
    const text = body.toString("utf8");
    read(id, text);
    at = body.indexOf(String(id));
    if (body.indexOf(String(id), at + 1) !== -1) throw new Error("Expected the request id once in the answer");
    expected = Buffer.from(body);
  }

  return {
    check(id, body) {
      if (expected === undefined) return learn(id, body);
      expected.write(String(id), at, ID_WIDTH, "latin1");
      if (!expected.equals(body))
        throw new Error(`Expected the answer to ${id} to equal the first one: ${body.toString("utf8").slice(0, 300)}`);
    },
  };
}

/** The JSON messages of a body: one JSON text, or the data of an event stream. */
export function readMessages(text: string): unknown[] {
  if (text.startsWith("{")) return [JSON.parse(text)];
  const blocks = text.split(/\r?\n\r?\n/);
  return blocks.flatMap((block) => {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart());
    return data.length > 0 && data.join("") !== "" ? [JSON.parse(data.join("\n"))] : [];
  });
}
