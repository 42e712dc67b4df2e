import type { Redirect } from "@mortise/client/oauth";

/** Nothing listens there: the answer is taken from where the login page sends its visitor. */
const ADDRESS = "http://127.0.0.1:49152/callback";

/** Visits login pages that let everybody in, without a browser: one GET that is not followed. */
export const plainRedirect: Redirect = {
  applicationType: "native",
  uris: [ADDRESS],
  open: async () => ({ uri: ADDRESS, visit: (url, { signal }) => visit(url, signal), close: () => undefined }),
};

async function visit(url: URL, signal: AbortSignal): Promise<URLSearchParams> {
  const { status, headers } = await fetch(url, { redirect: "manual", signal });
  const location = headers.get("location");
  if (location === null) throw new Error(`Expected the login page to send its visitor back, received HTTP ${status}`);
  return new URL(location, url).searchParams;
}
