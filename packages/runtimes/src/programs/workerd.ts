// Runs the suite in workerd: reads where the servers are from the body of a request.
import { runChecks, type Targets } from "../smoke/check.js";
import { SUITE } from "../smoke/suite.js";

// biome-ignore lint/style/noDefaultExport: workerd looks for it there
export default {
  async fetch(request: Request): Promise<Response> {
    const targets = (await request.json()) as Targets; // what started it writes this
    return Response.json(await runChecks(SUITE, targets));
  },
};
