// What tests call in a page. Everything that goes in and out is plain data.
import { type HttpOptions, MCPClient, type MortiseError } from "@mortise/client";
import { answerPopup, browserStore, type OAuth, oauth, pageRedirect, popupRedirect } from "@mortise/client/oauth";
import { type Outcome, runChecks, type Targets } from "../smoke/check.js";
import { SUITE } from "../smoke/suite.js";

/** One thing that a client in the page does. */
export type Step =
  | { readonly do: "connect" }
  | { readonly do: "close" }
  | { readonly do: "call"; readonly tool: string; readonly args?: Readonly<Record<string, string>> };

/** What came of a step. */
export interface StepOutcome {
  readonly value?: unknown;
  readonly error?: { readonly code: unknown; readonly message: string; readonly cause: unknown };
}

/** What a client in the page did, and found out. */
export interface Visit {
  readonly outcomes: readonly StepOutcome[];
  readonly verdict: MCPClient["verdict"];
  readonly problems: readonly string[];
}

/** How a page gets to a login page. */
export type LoginWay = "popup" | "page";

/** What the page offers to tests. */
export interface PageProgram {
  visit(options: HttpOptions, steps: readonly Step[]): Promise<Visit>;
  /** Logs in, in a window of its own or by leaving the page, and calls a tool. What is kept outlives the page. */
  callGuarded(url: string, way: LoginWay): Promise<StepOutcome>;
  /** Finishes the login that this page is the answer to; gives which server it was for. */
  finishLogin(): Promise<string | undefined>;
  runSuite(targets: Targets): Promise<Outcome[]>;
  runSuiteInWorker(targets: Targets): Promise<Outcome[]>;
}

const program: PageProgram = {
  async visit(options, steps) {
    const problems: string[] = [];
    const client = new MCPClient({ ...options, onError: ({ message }) => void problems.push(message) });
    const outcomes: StepOutcome[] = [];
    for (const step of steps) outcomes.push(await take(client, step));
    const { verdict } = client;
    await client.close();
    return { outcomes, verdict, problems };
  },
  async callGuarded(url, way) {
    const client = new MCPClient({ url, auth: createLogin(way) });
    const outcome = await take(client, { do: "call", tool: "greet", args: { name: "Ada" } });
    await client.close();
    return outcome;
  },
  finishLogin: async () => (await createLogin("page").finish(location.href))?.href,
  runSuite: (targets) => runChecks(SUITE, targets),
  runSuiteInWorker: (targets) =>
    new Promise((resolve, reject) => {
      const worker = new Worker("/page-worker.js", { type: "module" });
      worker.addEventListener("message", ({ data }: MessageEvent<Outcome[]>) => {
        resolve(data);
        worker.terminate();
      });
      worker.addEventListener("error", ({ message }) => reject(new Error(message)));
      worker.postMessage(targets);
    }),
};

function createLogin(way: LoginWay): OAuth {
  const uri = `${location.origin}/callback`;
  return oauth({
    redirect: way === "popup" ? popupRedirect({ uri }) : pageRedirect({ uri }),
    store: browserStore({ storage: sessionStorage }),
  });
}

async function take(client: MCPClient, step: Step): Promise<StepOutcome> {
  try {
    if (step.do === "connect") return { value: await client.connect() };
    if (step.do === "close") return { value: await client.close() };
    return { value: (await client.callTool(step.tool, step.args)).text };
  } catch (error) {
    const { code, message, cause } = error as MortiseError; // nothing but errors of the client comes here
    return { error: { code, message, cause: cause instanceof Error ? cause.message : cause } };
  }
}

// A window that a login came back to has nothing else to do; a page that did goes on.
if (opener === null || !answerPopup()) Object.assign(globalThis, { program });
