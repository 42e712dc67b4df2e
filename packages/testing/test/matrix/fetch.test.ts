import { describeWays } from "./matrix.js";
import { FETCH } from "./ways.js";

describeWays(FETCH);
