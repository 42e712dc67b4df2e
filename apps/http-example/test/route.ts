import { createExampleServer } from "@mortise/example-tools";
import { createHttpHandler, type HttpHandler } from "@mortise/http";

/*
 * A route module as the App Router of Next.js takes it, app/mcp/route.ts: one handler for every method. The framework has
 * matched the path already, and what it calls the handler with besides the request is not looked at.
 */
const handler: HttpHandler = createHttpHandler(createExampleServer(), { path: "*" });

export { handler as DELETE, handler as GET, handler as POST };
