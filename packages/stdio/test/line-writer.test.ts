import { PassThrough, Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import { createLineWriter } from "../src/line-writer.js";

/** A stream whose writes end when the test says so. */
function createSlowOutput() {
  const written: string[] = [];
  const waiting: ((error?: Error) => void)[] = [];
  const output = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      waiting.push(done);
    },
  });
  return { output, written, finishWrite: (error?: Error) => waiting.shift()?.(error) };
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

test("leaves writing to a flush that was announced, once", async () => {
  const { output, written, finishWrite } = createSlowOutput();
  const writer = createLineWriter({ output, onFailure: vi.fn() });

  writer.hold();
  void writer.write("a");
  await tick();
  const held = [...written];
  writer.flush();
  finishWrite();
  await tick();
  void writer.write("b");
  await tick();

  expect([held, written]).toEqual([[], ["a\n", "b\n"]]);
});

test("gathers what is written in one tick", async () => {
  const { output, written } = createSlowOutput();
  const writer = createLineWriter({ output, onFailure: vi.fn() });

  void writer.write("a");
  void writer.write("b");
  await tick();

  expect(written).toEqual(["a\nb\n"]);
});

test("writes at once what grows large", () => {
  const { output, written } = createSlowOutput();
  const writer = createLineWriter({ output, onFailure: vi.fn() });

  void writer.write("x".repeat(70_000));

  expect(written).toHaveLength(1);
});

test("holds back text while the reader is behind, and tells when there is room", async () => {
  const { output, written, finishWrite } = createSlowOutput();
  const onRoom = vi.fn();
  const writer = createLineWriter({ output, onRoom, onFailure: vi.fn() });
  void writer.write("a");
  writer.flush();

  const waited = writer.write("b");
  const behind = writer.behind;
  await tick();
  const heldBack = [...written];
  finishWrite();
  await tick();
  finishWrite();
  await waited;

  expect(behind).toBe(true);
  expect(heldBack).toEqual(["a\n"]);
  expect(written).toEqual(["a\n", "b\n"]);
  expect(onRoom).toHaveBeenCalledOnce();
});

test("is drained once the last write has ended", async () => {
  const { output, finishWrite } = createSlowOutput();
  const writer = createLineWriter({ output, onFailure: vi.fn() });
  void writer.write("a");

  const drained = writer.drained(1_000);
  setTimeout(finishWrite, 20);

  await expect(drained).resolves.toBe(true);
});

test("is drained at once when nothing was written", async () => {
  const writer = createLineWriter({ output: new PassThrough(), onFailure: vi.fn() });

  await expect(writer.drained(1_000)).resolves.toBe(true);
});

test("gives up on a reader that stands still", async () => {
  const { output } = createSlowOutput();
  const writer = createLineWriter({ output, onFailure: vi.fn() });
  void writer.write("a");

  await expect(writer.drained(30)).resolves.toBe(false);
});

test("tells of a failure once and lets waiting writers go on", async () => {
  const { output, finishWrite } = createSlowOutput();
  const onFailure = vi.fn();
  const writer = createLineWriter({ output, onFailure });
  void writer.write("a");
  writer.flush();
  const waited = writer.write("b");
  const drained = writer.drained(1_000);

  finishWrite(new Error("broken"));

  await expect(drained).resolves.toBe(false);
  await waited;
  void writer.write("c");
  await tick();
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "broken" }));
});

test("keeps the process safe from a write that fails after it let go", async () => {
  const { output, finishWrite } = createSlowOutput();
  const writer = createLineWriter({ output, onFailure: vi.fn() });
  void writer.write("a");
  writer.flush();

  writer.release();
  finishWrite(new Error("broken"));
  await tick();

  expect(output.listenerCount("error")).toBe(0);
});
