import { serveFetchLoad } from "../fetch-load.js";
import { createPlainAnswers } from "../plain-answers.js";
import { createTools } from "../scenario.js";

/** A plain fetch handler: parses the body, builds the same result, stringifies it, sets Content-Length. */
const answers = createPlainAnswers(createTools("greet"));

serveFetchLoad(async (request) => {
  const text = JSON.stringify(answers.answer(JSON.parse(await request.text())));
  const headers = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) };
  return new Response(text, { status: 200, headers });
});
