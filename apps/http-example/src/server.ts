// The example server alone: node dist/server.js. PORT moves it; Ctrl-C ends it.
import { MortiseError } from "@mortise/server";
import { explainFailure, readPort, startServer } from "./start-server.js";

try {
  const { server, url } = await startServer(readPort());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
  console.log(`Serving on ${url}`);
} catch (error) {
  if (!(error instanceof MortiseError)) throw error;
  console.error(explainFailure(error));
  process.exitCode = 1;
}
