import { describeWays } from "./matrix.js";
import { HTTP_SSE } from "./ways.js";

describeWays(HTTP_SSE);
