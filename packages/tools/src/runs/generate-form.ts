import { askCode, CODE_FORM } from "../ask/ask-code.js";
import { findUiFramework, type UiFramework } from "../generate/ui-framework.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { GenerateFormArgs } from "../tools/generate-form.js";

/** Asks for a form, and refuses what is none, or is sent elsewhere. */
export const run: Run<GenerateFormArgs> = async ({ description, framework = "html", action }, context) => {
  expectText("description", description);
  const known = findUiFramework(framework);
  const question = composePrompt({
    role: `You are an experienced front-end engineer who writes ${known.label} forms that everybody can fill in.`,
    rules: listRules(known, action),
    task: `Write the ${known.label} form that the description in the material asks for.`,
    material: { action, description },
  });
  return askCode({ ...question, check: (code) => findProblem(code, known, action) }, context);
};

function listRules({ form }: UiFramework, action: string | undefined): string[] {
  return [
    `The result is ${form}. It is complete: every import it needs, nothing left out, no placeholders.`,
    action === undefined
      ? "The form is sent to no address of its own: its values go to a handler that is passed in, or, in plain HTML, to the page's own address by POST."
      : "The form is sent by POST to the address that the material names as action, written exactly so.",
    "Every field has a visible label that belongs to it, a name, the right type, inputmode and autocomplete, and says whether it is required. Related choices stand in a fieldset with a legend.",
    "Use the validation of the platform first, and code for what it cannot express. A message says what to do, stands beside its field, is tied to it with aria-describedby and aria-invalid, and the first wrong field gets the focus.",
    "While the form is sent it cannot be sent again, and says so. A failure keeps what was typed and is announced.",
    "Passwords, card numbers and the like never get into an address, a log or a store of the browser, and never have preset values.",
    "Import nothing but the framework, unless the description names another library. Add no field that was not asked for.",
    CODE_FORM,
  ];
}

function findProblem(code: string, framework: UiFramework, action: string | undefined): string | undefined {
  const { label, mark, markName, formMark } = framework;
  if (!mark.test(code)) return `Expected a ${label} form to have ${markName}, and this answer has none`;
  if (formMark?.test(code) === false) return "Expected a <form> element, and this answer has none";
  // Markup writes an ampersand in an address in two ways.
  const written = code.replaceAll("&amp;", "&");
  if (action !== undefined && !written.includes(action))
    return `Expected the form to be sent to ${JSON.stringify(action)}, which the answer does not name`;
  return undefined;
}
