import type { JsonRpcRequest, Revision } from "@mortise/core";
import type { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import type { Ledger } from "./ledger.js";
import type { Method } from "./method.js";
import type { Outcome } from "./outcome.js";
import type { Questioner } from "./questioner.js";
import type { Sealed } from "./sealed.js";
import type { ServerCore } from "./server-core.js";

/** What must differ between the eras, and nothing else. Each is made once for each server. */
export interface Era {
  readonly server: ServerCore;
  /** The requests it knows. A method it lacks is absent. */
  readonly methods: ReadonlyMap<string, Method>;
  /** Reads one request. Gives the call to be run, or the answer that turns it away. `revision` is what was agreed or assumed, where that matters. */
  open(request: JsonRpcRequest, carrier: Carrier, revision?: Revision): Call | Sealed;
  /** Whether answers to questions come with a request of their own. */
  readonly retries: boolean;
  /** Makes what deals with the questions of one run of a handler. Rejects with a `JsonRpcError` where earlier rounds are not its caller's. */
  createQuestioner(call: Call, ledger: Ledger): Promise<Questioner>;
  /** Turns what became of a call into its answer, in the shape of the caller's revision. */
  seal(call: Call, outcome: Outcome): Sealed;
}
