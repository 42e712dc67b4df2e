import { describeWays } from "./matrix.js";
import { DIRECT } from "./ways.js";

describeWays(DIRECT);
