import { answerList } from "../bare-start.js";

answerList();
