import { createMortiseClient } from "../src/mortise-client.js";
import { describeReferenceServers } from "../src/reference-suite.js";

describeReferenceServers(createMortiseClient("auto"));
