import type { HandlerOptions } from "@mortise/http";
import type { OpenLine } from "./line.js";
import { openDirectLine } from "./lines/direct.js";
import { openFetchLine, openSocketLine } from "./lines/http.js";
import { openHttpSseLine } from "./lines/http-sse.js";
import { openStdioLine } from "./lines/stdio.js";
import { type Carries, LEGACY, MODERN, type RevisionId } from "./scene.js";

/** A way to a server. */
export interface Way {
  readonly name: string;
  readonly revisions: readonly RevisionId[];
  readonly open: OpenLine;
  readonly options?: HandlerOptions;
  readonly carries: Carries;
  /** Whether it is tried with handlers that always run again, too. @default true */
  readonly again?: boolean;
}

/** Every request says everything about itself, so that nothing needs to be remembered. */
const MODERN_CARRIES: Carries = {
  http: false,
  asks: true,
  announces: true,
  watches: false,
  remembers: false,
  cancels: true,
  resumes: false,
  batches: false,
};
const NOTHING: Carries = { ...MODERN_CARRIES, asks: false, announces: false, cancels: false };
const PIPE: Carries = {
  http: false,
  asks: true,
  announces: true,
  watches: true,
  remembers: true,
  cancels: true,
  resumes: false,
  batches: true,
};
const SESSIONS: Carries = { ...PIPE, http: true };
const RESUMABLE: Carries = { ...SESSIONS, resumes: true };
const MINTED: Carries = { ...SESSIONS, watches: false, remembers: false };

/** What says in a header which version it speaks; an earlier one would be taken for 2025-03-26. */
const TELLING: readonly RevisionId[] = ["2025-03-26", "2025-06-18", "2025-11-25"];

export const DIRECT: readonly Way[] = [
  { name: "handle()", revisions: [MODERN], open: openDirectLine, carries: MODERN_CARRIES },
  { name: "handle()", revisions: LEGACY, open: openDirectLine, carries: { ...NOTHING, cancels: true } },
];

/** The same handler, with whatever it can be set to do for legacy clients. */
export const FETCH: readonly Way[] = [
  ...createHttpWays("the fetch handler", openFetchLine),
  {
    name: "the fetch handler, with sessions",
    revisions: ["2025-06-18"],
    open: openFetchLine,
    options: { legacy: { sessions: "memory", getStream: true } },
    carries: SESSIONS,
  },
  {
    name: "the fetch handler, with a stream of changes",
    revisions: ["2025-11-25"],
    open: openFetchLine,
    options: { legacy: { getStream: true } },
    carries: { ...NOTHING, http: true, batches: true, announces: true },
  },
  {
    name: "the fetch handler, with minted ids",
    revisions: ["2024-11-05", "2025-11-25"],
    open: openFetchLine,
    options: { legacy: { mintSessionId: true, getStream: true } },
    carries: MINTED,
  },
];

/** Another mapping of the same handler, without repeating what does not depend on the mapping. */
export const SOCKET: readonly Way[] = createHttpWays("a socket", openSocketLine).map((way) => ({
  ...way,
  revisions: way.revisions === TELLING ? ["2025-06-18"] : way.revisions,
  again: false,
}));

export const STDIO: readonly Way[] = [
  { name: "stdio", revisions: [MODERN], open: openStdioLine, carries: MODERN_CARRIES },
  { name: "stdio", revisions: LEGACY, open: openStdioLine, carries: PIPE },
];

/** Of 2024-11-05, though newer clients find their way to it, too. */
export const HTTP_SSE: readonly Way[] = [
  { name: "HTTP+SSE", revisions: ["2024-11-05", "2025-11-25"], open: openHttpSseLine, carries: PIPE },
];

function createHttpWays(name: string, open: OpenLine): readonly Way[] {
  return [
    { name, revisions: [MODERN], open, carries: { ...MODERN_CARRIES, http: true } },
    { name, revisions: TELLING, open, carries: { ...NOTHING, http: true, batches: true } },
    {
      name: `${name}, with sessions and streams to go on from`,
      revisions: LEGACY,
      open,
      options: { legacy: { sessions: "memory", getStream: true, resumable: true } },
      carries: RESUMABLE,
    },
  ];
}
