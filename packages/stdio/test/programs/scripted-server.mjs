// A server process whose every behaviour is chosen by its first argument. Plain JavaScript, so that it runs as it stands.
import { spawn } from "node:child_process";

const [mode, ...rest] = process.argv.slice(2);
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const answer = (id, result) => write({ jsonrpc: "2.0", id, result });
const stayAlive = () => setInterval(() => {}, 1_000);

/** Splits at newlines alone, unlike the line reader of newer Node versions. */
function onLines(receive) {
  let text = "";
  process.stdin.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
      receive(JSON.parse(text.slice(0, end)));
      text = text.slice(end + 1);
    }
  });
}

const MODES = {
  /** Sends the parameters of each request back, as raw text without escapes. */
  echo: () => onLines(({ id, params }) => answer(id, params)),
  /** Answers with its surroundings. */
  describe: () => onLines(({ id }) => answer(id, { argv: rest, env: process.env, cwd: process.cwd() })),
  /** Writes its answer byte by byte. */
  drip: () =>
    onLines(async ({ id, params }) => {
      for (const byte of Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result: params })}\r\n`)) {
        process.stdout.write(Uint8Array.of(byte));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }),
  /** Exits with a code at the first message, after a last word on stderr. */
  exit: () =>
    onLines(() => {
      process.stderr.write("could not read the configuration\n");
      process.exitCode = Number(rest[0]);
      process.stdin.destroy();
    }),
  /** Is killed at the first message. */
  die: () => onLines(() => process.kill(process.pid, "SIGKILL")),
  /** Leaves its input unheeded, even its end. */
  deaf: () => {
    stayAlive();
    write({ jsonrpc: "2.0", method: "ready" });
  },
  /** Leaves everything unheeded that can be. */
  stubborn: () => {
    process.on("SIGTERM", () => {});
    stayAlive();
    write({ jsonrpc: "2.0", method: "ready" });
  },
  /** Leaves when asked to, after a last word. */
  polite: () => {
    process.on("SIGTERM", () => process.stderr.write("goodbye\n", () => process.exit(0)));
    stayAlive();
    write({ jsonrpc: "2.0", method: "ready" });
  },
  /** Is only a wrapper around the real server, which hears of nothing. */
  wrapper: () => {
    const inner = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], {
      stdio: "ignore",
    });
    inner.on("spawn", () =>
      setTimeout(() => write({ jsonrpc: "2.0", method: "ready", params: { pid: inner.pid } }), 200),
    );
    process.stdin.on("end", () => process.exit(0)).resume();
  },
  /** Says much on stderr before it answers. */
  chatty: () =>
    onLines(({ id }) => {
      process.stderr.write("warning: grüße\n".repeat(400_000));
      process.stderr.write("last words\n", () => answer(id, {}));
    }),
  /** Writes what is no message between messages. */
  noisy: () =>
    onLines(({ id }) => {
      process.stdout.write("Server is listening\n\n");
      process.stdout.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
      process.stdout.write(`"${"x".repeat(2_000)}"\n`);
      answer(id, {});
    }),
  /** Begins to read only after a while. */
  late: () => setTimeout(() => onLines(({ id }) => answer(id, {})), 400),
  /** Closes its output and goes on. */
  mute: () => onLines(() => process.stdout.end(stayAlive)),
};

MODES[mode]();
