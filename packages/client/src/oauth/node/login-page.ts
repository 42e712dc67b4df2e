/** What came of a visit to the address that logins come back to. `unexpected` is one that no login waits for. */
export type LoginOutcome = "answered" | "refused" | "unexpected";

const TEXTS: Readonly<Record<LoginOutcome, readonly [title: string, text: string]>> = {
  answered: ["Thank you", "You can close this page and go back to the application."],
  refused: ["The login was not completed", "You can close this page. The application tells more."],
  unexpected: [
    "Nothing to do here",
    "No login is waiting for this page. If you have just logged in, go back to the application.",
  ],
};

const STYLE =
  "body{font:1.1em/1.5 system-ui,sans-serif;max-width:32em;margin:15vh auto;padding:0 1.5em;text-align:center}" +
  "@media(prefers-color-scheme:dark){body{background:#1b1b1f;color:#eee}}";

/** Headers of every answer: nothing is loaded, run, framed, kept, or told to other sites about the address. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  Connection: "close",
};

/** The page that a user sees after a login. It holds nothing of what came with the visit. */
export function renderLoginPage(outcome: LoginOutcome): string {
  const [title, text] = TEXTS[outcome];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>`
  );
}
