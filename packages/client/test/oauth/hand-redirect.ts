import { type OAuth, type OAuthOptions, oauth, type Redirect } from "@mortise/client/oauth";
import { pause } from "../open-client.js";
import { CALLBACK, follow, startWorld, type World } from "./login-world.js";

/** A login page that a test answers by hand. */
interface ShownPage {
  readonly url: URL;
  readonly signal: AbortSignal;
  /** The user says yes. */
  agree(): Promise<URLSearchParams>;
}

export interface HandRedirect extends Redirect {
  readonly pages: ShownPage[];
  closed(): number;
  /** Resolves once so many pages were shown. */
  shown(count: number): Promise<void>;
}

export function createHandRedirect(): HandRedirect {
  const pages: ShownPage[] = [];
  let closed = 0;
  return {
    applicationType: "native",
    uris: [CALLBACK],
    pages,
    closed: () => closed,
    async shown(count) {
      while (pages.length < count) await pause(2);
    },
    open: async () => ({
      uri: CALLBACK,
      visit: (url, { signal }) =>
        new Promise((resolve) => {
          const agree = async (): Promise<URLSearchParams> => {
            const answer = await follow(url);
            resolve(answer);
            return answer;
          };
          pages.push({ url, signal, agree });
        }),
      close: () => {
        closed += 1;
      },
    }),
  };
}

export async function startByHand(
  options: OAuthOptions = {},
): Promise<{ world: World; redirect: HandRedirect; auth: OAuth }> {
  const world = await startWorld();
  const redirect = createHandRedirect();
  return { world, redirect, auth: oauth({ redirect, ...options }) };
}

export function toUrl(answer: URLSearchParams): string {
  return `${CALLBACK}?${answer}`;
}
