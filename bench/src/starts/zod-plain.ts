import { answerList } from "../bare-start.js";
import { createStartInput } from "../start-zod.js";

createStartInput();
answerList();
