import { LEGACY_PROTOCOL_VERSION, type LogLevel, Refusal, revisionOf } from "@mortise/core";
import { Call } from "../call.js";
import { completionComplete } from "../completion-complete.js";
import type { Era } from "../era.js";
import { Ledger } from "../ledger.js";
import { createMethodTable } from "../method.js";
import { takeSteps } from "../opening.js";
import { ping } from "../ping.js";
import { promptsGet } from "../prompts-get.js";
import { promptsList } from "../prompts-list.js";
import { createQuestionerTools } from "../question-tools.js";
import type { Questioner } from "../questioner.js";
import { resourceTemplatesList } from "../resource-templates-list.js";
import { resourcesList } from "../resources-list.js";
import { resourcesRead } from "../resources-read.js";
import type { ServerCore } from "../server-core.js";
import { createErrorResult } from "../tool-result.js";
import { toolsCall } from "../tools-call.js";
import { toolsList } from "../tools-list.js";
import { initialize } from "./initialize.js";
import { LEGACY_OPENING } from "./open.js";
import { seal } from "./seal.js";
import { setLevel } from "./set-level.js";
import { subscribe, unsubscribe } from "./subscribe.js";

const NEWEST = revisionOf(LEGACY_PROTOCOL_VERSION);
/** Until a legacy client says what it wants, or where that cannot be remembered, the server decides. */
const UNASKED_LEVEL: LogLevel = "info";
const METHODS = createMethodTable([
  initialize,
  ping,
  setLevel,
  toolsList,
  toolsCall,
  promptsList,
  promptsGet,
  completionComplete,
  resourcesList,
  resourceTemplatesList,
  resourcesRead,
  subscribe,
  unsubscribe,
]);

/** The era of clients that open with `initialize`. */
export function createLegacyEra(server: ServerCore): Era {
  const { replay, askTimeout } = server.settings;
  const tools = { ...createQuestionerTools(), createLedger, replay: replay === "always", timeout: askTimeout };
  const era: Era = {
    server,
    methods: METHODS,
    retries: false,
    open(request, carrier, revision = NEWEST) {
      const call = new Call(era, request, carrier, revision);
      call.method = METHODS.get(request.method);
      call.client = carrier.agreement?.clientInfo;
      call.logLevel = carrier.agreement?.logLevel ?? UNASKED_LEVEL;
      if (carrier.agreement !== undefined) call.capabilities = carrier.agreement.capabilities;
      const refusal = takeSteps(call, LEGACY_OPENING);
      if (refusal !== undefined) return seal(call, { kind: "refused", refusal });
      const missing = findMissingAsks(call);
      if (missing.length === 0) return call;
      const message = `Expected a client that can answer ${missing.join(", ")}`;
      // Only tools have results for the model to read.
      return call.method?.feature === "tools"
        ? seal(call, { kind: "done", result: createErrorResult(message) })
        : seal(call, { kind: "refused", refusal: new Refusal("invalid_params", message) });
    },
    async createQuestioner(call, ledger) {
      const { createQuestioner } = await import("./ask.js");
      return createQuestioner(call, ledger, tools);
    },
    seal,
  };
  return era;
}

function createLedger(call: Call, createQuestioner: (ledger: Ledger) => Questioner): Ledger {
  return new Ledger(call, createQuestioner);
}

function findMissingAsks(call: Call): readonly string[] {
  const asks = call.subject?.asks ?? [];
  return asks.filter((ask) => !call.can.has(ask));
}
