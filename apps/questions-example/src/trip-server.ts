import { MCPServer, type ServerOptions } from "@mortise/server";
import * as z from "zod";

/** How often each thing happened. A real tool would write to a database in these places. */
export interface Counts {
  /** The handler began. */
  runs: number;
  /** A side effect in front of the questions, in the open. */
  unguarded: number;
  /** The same, inside `ctx.once`. */
  once: number;
  /** A side effect behind the last question. */
  afterwards: number;
}

/** A server with one tool that asks twice, and what its handler has done so far. */
export interface TripServer {
  readonly server: MCPServer;
  readonly counts: Counts;
}

/** Builds the server. */
export function createTripServer(options: Pick<ServerOptions, "replay" | "onWarning"> = {}): TripServer {
  const counts: Counts = { runs: 0, unguarded: 0, once: 0, afterwards: 0 };
  const server = new MCPServer({ name: "trips", version: "1.0.0", ...options });

  server.tool("plan_trip", { description: "Plan a trip with the user", asks: ["elicit.form"] }, async (_args, ctx) => {
    counts.runs += 1;
    counts.unguarded += 1; // happens again in every run
    const draft = await ctx.once("open-draft", () => {
      counts.once += 1; // happens once, and its result is remembered
      return { id: `draft-${counts.once}` };
    });

    const place = await ctx.elicit({ message: "Where to?", schema: z.object({ city: z.string() }) });
    if (place.action !== "accept") return "No trip, then";
    const { city } = place.content;

    const stay = await ctx.elicit({
      message: `How many nights in ${city}?`,
      schema: z.object({ nights: z.number().int().min(1) }),
    });
    if (stay.action !== "accept") return `No nights in ${city}, then`;

    counts.afterwards += 1; // every run but the last ends at a question
    return `${stay.content.nights} nights in ${city} (${draft.id})`;
  });

  return { server, counts };
}
