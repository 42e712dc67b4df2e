import { FEATURE_PAIRS } from "../src/feature-clients.js";
import { describeFeatures } from "../src/feature-suite.js";

for (const pair of FEATURE_PAIRS) describeFeatures(pair);
