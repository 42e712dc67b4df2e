import { createExampleServer } from "@mortise/example-tools";
import { createHttpHandler } from "@mortise/http";

/*
 * A route module as the App Router of Next.js takes it, app/mcp/route.ts: one handler for every method. The framework has
 * matched the path already.
 */
const handler = createHttpHandler(createExampleServer(), { path: "*" });

// Next.js gives its handlers the route's parameters as a second argument, which is none of this handler's.
export const POST = (request: Request): Promise<Response> => handler(request);
export const GET: typeof POST = POST;
export const DELETE: typeof POST = POST;
