import { answerParent } from "../answering.js";
import { createPlainAnswers } from "../plain-answers.js";
import { createTools } from "../scenario.js";

/** Plain pipe code: splits lines, parses, builds the same result, stringifies it, writes one line. */
const answers = createPlainAnswers(createTools("greet"));
let rest = "";

process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) process.stdout.write(`${JSON.stringify(answers.answer(JSON.parse(line)))}\n`);
});
answerParent({});
