import { askCode, CODE_FORM } from "../ask/ask-code.js";
import { findUiFramework, type UiFramework } from "../generate/ui-framework.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { GenerateComponentArgs } from "../tools/generate-component.js";

/** Asks for a component, and refuses what is no file of its framework. */
export const run: Run<GenerateComponentArgs> = async (args, context) => {
  const { description, framework = "react", language = "typescript", styling } = args;
  expectText("description", description);
  const known = findUiFramework(framework);
  const question = composePrompt({
    role: `You are an experienced front-end engineer who writes ${known.label} components that others like to maintain.`,
    rules: listRules(known),
    task: `Write the ${known.label} component that the description in the material asks for.`,
    material: {
      language,
      styling: styling ?? "what the framework brings (scoped or inline styles), without another library",
      description,
    },
  });
  return askCode({ ...question, check: (code) => findProblem(code, known) }, context);
};

function listRules({ form }: UiFramework): string[] {
  return [
    `The result is ${form}. It is complete: every import it needs, nothing left out, no placeholders, no demo around it.`,
    "Use the language and the styling that the material names.",
    "Import nothing but the framework and what the styling needs, unless the description names another library.",
    "Make it accessible: native elements before roles, a name for every control, everything reachable with the keyboard, focus that can be seen, states told to assistive technology.",
    "What varies comes in through props, with defaults where there is a sensible one. Handle the empty, loading and failed states that the description implies. Clean up timers, listeners and subscriptions.",
    "Never build markup from strings of data, and never fetch from an address that the description does not name.",
    "Comments only where the code cannot say why.",
    CODE_FORM,
  ];
}

function findProblem(code: string, { label, mark, markName }: UiFramework): string | undefined {
  return mark.test(code) ? undefined : `Expected a ${label} component to have ${markName}, and this answer has none`;
}
