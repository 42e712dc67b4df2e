import { MODERN_PROTOCOL_VERSION, revisionOf } from "@mortise/core";
import { Call } from "../call.js";
import { completionComplete } from "../completion-complete.js";
import type { Era } from "../era.js";
import { createMethodTable, type Method } from "../method.js";
import { takeSteps } from "../opening.js";
import { ping } from "../ping.js";
import { promptsGet } from "../prompts-get.js";
import { promptsList } from "../prompts-list.js";
import { createQuestionerTools } from "../question-tools.js";
import { resourceTemplatesList } from "../resource-templates-list.js";
import { resourcesList } from "../resources-list.js";
import { resourcesRead } from "../resources-read.js";
import type { ServerCore } from "../server-core.js";
import { toolsCall } from "../tools-call.js";
import { toolsList } from "../tools-list.js";
import { discover } from "./discover.js";
import { listen } from "./listen.js";
import { MODERN_OPENING } from "./open.js";
import { createSeal } from "./seal.js";

const METHODS: readonly Method[] = [
  discover,
  toolsList,
  toolsCall,
  promptsList,
  promptsGet,
  completionComplete,
  resourcesList,
  resourceTemplatesList,
  resourcesRead,
  listen,
];
const NEWEST = revisionOf(MODERN_PROTOCOL_VERSION);

/** The era of requests that say everything about themselves. */
export function createModernEra(server: ServerCore): Era {
  const methods = createMethodTable(server.settings.modernPing ? [...METHODS, ping] : METHODS);
  const seal = createSeal(server);
  const tools = createQuestionerTools();
  const era: Era = {
    server,
    methods,
    retries: true,
    open(request, carrier) {
      const call = new Call(era, request, carrier, NEWEST);
      call.method = methods.get(request.method) ?? server.extensions.method(request.method);
      const refusal = takeSteps(call, MODERN_OPENING);
      return refusal === undefined ? call : seal(call, { kind: "refused", refusal });
    },
    async createQuestioner(call, ledger) {
      const { createQuestioner } = await import("./ask.js");
      return createQuestioner(call, ledger, tools);
    },
    seal,
  };
  return era;
}
