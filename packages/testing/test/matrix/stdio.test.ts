import { describeWays } from "./matrix.js";
import { STDIO } from "./ways.js";

describeWays(STDIO);
