import {
  type ApartOptions,
  type Extension,
  type ExtensionHandle,
  type JsonObject,
  JsonRpcError,
  type MCPServer,
} from "@mortise/server";

export const JOBS = "com.example/jobs";

/** A call of a tool that goes on after its request was answered. */
interface Job {
  readonly id: string;
  readonly owner: string | undefined;
  readonly controller: AbortController;
  readonly reported: JsonObject[];
  /** Runs the tool, with the answers to what it asked before. */
  run(answers: Partial<ApartOptions>): Promise<JsonObject>;
  status: "working" | "done" | "failed" | "cancelled" | "asking";
  outcome: JsonObject;
  /** What goes with the answers, while the tool waits for them. */
  requestState?: string;
}

/** Answers calls of tools with a job, for clients that know jobs; what becomes of it is asked for and listened to. */
export function addJobs(server: MCPServer): ExtensionHandle {
  const jobs = new Map<string, Job>();
  const find = (id: string, principal: string | undefined): Job => {
    const job = jobs.get(id);
    if (job === undefined || job.owner !== principal) throw new JsonRpcError(-32602, "Unknown job");
    return job;
  };
  const change = (job: Job, status: Job["status"], outcome: JsonObject = {}): void => {
    Object.assign(job, { status, outcome });
    handle.publish(job.id, describe(job));
  };
  const run = (job: Job, answers: Partial<ApartOptions> = {}): void => {
    job.run(answers).then(
      ({ inputRequests, ...result }) => {
        if (result.resultType !== "input_required") return change(job, "done", { result });
        job.requestState = String(result.requestState);
        change(job, "asking", { inputRequests });
      },
      (error: Error) => {
        if (job.controller.signal.aborted) change(job, "cancelled");
        else change(job, "failed", { error: { code: Reflect.get(error, "code"), message: error.message } });
      },
    );
  };

  const extension: Extension<{
    "jobs/get": string;
    "jobs/cancel": string;
    "jobs/answer": JsonObject;
    "jobs/echo": JsonObject;
  }> = {
    id: JOBS,
    settings: { longest: 60 },
    resultTypes: ["job"],
    methods: {
      "jobs/get": { params: readId, mirrors: "jobId", run: (id, { principal }) => describe(find(id, principal)) },
      "jobs/cancel": {
        params: readId,
        mirrors: "jobId",
        run(id, { principal }) {
          find(id, principal).controller.abort(new DOMException("The job was cancelled", "AbortError"));
          return {};
        },
      },
      "jobs/answer": {
        mirrors: "jobId",
        run(params, { principal }) {
          const job = find(readId(params), principal);
          const { requestState = "" } = job;
          job.status = "working";
          run(job, { requestState, inputResponses: params.inputResponses as JsonObject });
          return {};
        },
      },
      "jobs/echo": {
        async run(params, context) {
          await context.progress(1, 1, "half way");
          const { _meta, ...rest } = params;
          return { rest, declared: context.extension(JOBS), version: context.protocolVersion };
        },
      },
    },
    async aroundToolCall(call, next) {
      if (call.name === "jobs-only") call.require();
      if (call.declared === undefined || call.name === "quick") return next();
      if (call.name === "decorated") return { ...(await next()), _meta: { "com.example/decorated": call.tool.name } };
      const controller = new AbortController();
      const { signal } = controller;
      const job: Job = {
        id: crypto.randomUUID(),
        owner: call.context.principal,
        controller,
        reported: [],
        run: (answers) => next({ signal, onNotice: ({ params }) => job.reported.push(params ?? {}), ...answers }),
        status: "working",
        outcome: {},
      };
      jobs.set(job.id, job);
      run(job);
      return { resultType: "job", ...describe(job) };
    },
    listenFilter: {
      member: "jobIds",
      topics(value, { principal }) {
        if (!Array.isArray(value)) throw new JsonRpcError(-32602, "Expected job ids");
        return value.filter((id) => jobs.get(id)?.owner === principal && jobs.has(id));
      },
      notice: (id, data) => ({ method: "notifications/jobs", params: { about: id, ...(data as JsonObject) } }),
    },
  };
  const handle = server.extend(extension);
  return handle;
}

function describe({ id, status, outcome, reported }: Job): JsonObject {
  return { jobId: id, status, reported: reported.length, ...outcome };
}

function readId({ jobId }: JsonObject): string {
  if (typeof jobId !== "string") throw new JsonRpcError(-32602, 'Expected "params.jobId" to be a string');
  return jobId;
}
