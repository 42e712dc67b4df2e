import { describeWays } from "./matrix.js";
import { SOCKET } from "./ways.js";

describeWays(SOCKET);
