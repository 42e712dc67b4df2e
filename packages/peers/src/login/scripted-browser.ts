/** How many pages one login may take. */
const MOST_PAGES = 30;

/** A browser without a screen: keeps cookies, follows redirects, and fills in every form that it is shown. */
export interface ScriptedBrowser {
  /** Every address that was visited, without its query. */
  readonly visited: readonly string[];
  /** Goes to an address and does what the pages ask for until there is nothing more to do; gives the last page's text. */
  visit(url: URL | string): Promise<string>;
}

/** How a user behaves. */
export interface UserOptions {
  /** The name that the user logs in with. @default "ada" */
  readonly name?: string;
  /** Whether the user goes away from the login instead. */
  readonly refuses?: boolean;
  /** Changes addresses that the browser is redirected to, as somebody on the way could. */
  readonly redirected?: (url: URL) => void;
}

/** Opens a browser with no cookies. */
export function openScriptedBrowser(options: UserOptions = {}): ScriptedBrowser {
  const { name = "ada", refuses = false, redirected } = options;
  const cookies = new Map<string, string>();
  const visited: string[] = [];

  async function load(url: URL, body?: URLSearchParams): Promise<Response> {
    visited.push(url.origin + url.pathname);
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join("; ");
    const method = body === undefined ? "GET" : "POST";
    const response = await fetch(url, { method, body: body ?? null, headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(key);
      else cookies.set(key, value);
    }
    return response;
  }

  return {
    visited,
    async visit(start) {
      let url = new URL(start);
      let response = await load(url);
      let isGone = false;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const location = response.headers.get("location");
        const html = location === null ? await response.text() : "";
        if (location !== null) {
          url = new URL(location, url);
          redirected?.(url);
          response = await load(url);
          continue;
        }
        const abort = refuses ? /href="([^"]*\/abort)"/.exec(html)?.[1] : undefined;
        const form = readForm(html, name);
        if (isGone || (abort === undefined && form === undefined)) return html;
        isGone = abort !== undefined;
        url = new URL(decodeEntities(abort ?? form?.action ?? ""), url);
        response = await load(url, abort === undefined ? form?.fields : undefined);
      }
      throw new Error(`Expected the login to end within ${MOST_PAGES} pages`);
    },
  };
}

/** Fills in the first form of a page: hidden fields as they are, text fields with the user's name. */
function readForm(html: string, name: string): { action: string; fields: URLSearchParams } | undefined {
  const [, action, content] = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
  if (action === undefined || content === undefined) return undefined;
  const fields = new URLSearchParams();
  for (const [input] of content.matchAll(/<input[^>]*>/g)) {
    const read = (attribute: string): string | undefined => new RegExp(`${attribute}="([^"]*)"`).exec(input)?.[1];
    const field = read("name");
    if (field !== undefined) fields.set(field, read("value") ?? name);
  }
  return { action, fields };
}

function decodeEntities(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&#x3D;", "=");
}
