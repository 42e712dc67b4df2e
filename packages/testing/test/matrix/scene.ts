/** The dates that are served. */
export type RevisionId = "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28";

/** Revisions that open with `initialize`, the oldest first. */
export const LEGACY: readonly RevisionId[] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
export const MODERN: RevisionId = "2026-07-28";

/** What a way to a server carries, beside requests, their answers, and notices on the way. */
export interface Carries {
  /** Whether requests have an HTTP status. */
  readonly http: boolean;
  /** Whether the server can ask. */
  readonly asks: boolean;
  /** Whether changes of lists are told. */
  readonly announces: boolean;
  /** Whether single resources can be watched with a request of their own. */
  readonly watches: boolean;
  /** Whether what was set in one request holds for the next. */
  readonly remembers: boolean;
  /** Whether a call can be cancelled. */
  readonly cancels: boolean;
  /** Whether answers can be fetched on another connection. */
  readonly resumes: boolean;
  /** Whether arrays of messages get through. */
  readonly batches: boolean;
}

/** One client on one way to a server: what has to be seen depends on this and on nothing else. */
export interface Scene {
  readonly revision: RevisionId;
  readonly carries: Carries;
  /** The server's option of this name. */
  readonly replay: "modern" | "always";
}

/** Whether the client speaks a revision of that date or a later one. */
export function isSince({ revision }: Scene, date: RevisionId): boolean {
  return revision >= date;
}

/** Whether the client says everything about itself with each request. */
export function isModern(scene: Scene): boolean {
  return scene.revision === MODERN;
}

/** The HTTP status of an answer, where there are any. */
export function statusOf(scene: Scene, status: number): number | undefined {
  return scene.carries.http ? status : undefined;
}

/** The status of what modern servers turn away at the door: a legacy client finds the refusal in an answer. */
export function edgeStatusOf(scene: Scene, status: number): number | undefined {
  return statusOf(scene, isModern(scene) ? status : 200);
}
