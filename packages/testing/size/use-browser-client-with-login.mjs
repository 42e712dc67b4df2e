// The work of the page: its user logs in to a modern server, and to a legacy one with another authorization server.
import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { startLoginServer } from "./login-server.mjs";

const ORIGIN = "https://app.example";

export async function use({ openPage, comeBack }) {
  const page = createPage(comeBack);
  for (const [name, value] of Object.entries(page))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  const greet = openPage();
  for (const version of ["2026-07-28", "2025-11-25"]) await greetAfterLogin(version, greet);
  for (const name of Object.keys(page)) delete globalThis[name];
}

async function greetAfterLogin(version, greet) {
  const { verifier: auth, close } = await startLoginServer();
  const server = new MCPServer({ name: "greeter", version: "1.0.0", protocolVersions: [version] });
  server.tool("greet", { description: "Greets" }, () => "Hello!");
  const { url } = await server.listen(http({ port: 0, auth }));
  const { text } = await greet(url);
  if (text !== "Hello!") throw new Error(`Expected a greeting, received ${text}`);
  await server.close();
  await close();
}

/** What a browser has and this runtime lacks: windows, whose user follows the login page back, storage, and locks. */
function createPage(comeBack) {
  const opener = new EventTarget();
  const postMessage = (data, origin) => opener.dispatchEvent(Object.assign(new Event("message"), { data, origin }));
  const items = new Map();
  return {
    location: { origin: ORIGIN },
    addEventListener: opener.addEventListener.bind(opener),
    removeEventListener: opener.removeEventListener.bind(opener),
    localStorage: {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, text) => items.set(name, text),
      removeItem: (name) => items.delete(name),
    },
    navigator: { locks: { request: createLocks() } },
    open(url) {
      const popup = { closed: false, close: () => Object.assign(popup, { closed: true }) };
      void fetch(url, { redirect: "manual" }).then((answer) =>
        comeBack({
          location: { href: answer.headers.get("location"), origin: ORIGIN },
          opener: { postMessage },
          history: { replaceState: () => undefined },
          close: () => undefined,
        }),
      );
      return popup;
    },
  };
}

/** Web Locks, as far as they are used: whoever asks for a lock gets it after those who asked before. */
function createLocks() {
  const last = new Map();
  return (name, ...others) => {
    const granted = Promise.resolve(last.get(name)).then(() => others.at(-1)());
    last.set(
      name,
      granted.catch(() => undefined),
    );
    return granted;
  };
}
