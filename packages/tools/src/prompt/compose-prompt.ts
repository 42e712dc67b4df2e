import { fenceMaterial, MATERIAL_RULE } from "./fence-material.js";

/** What a question to a model is made of. */
export interface PromptParts {
  /** Who the model is to be. */
  readonly role: string;
  /** What it keeps to, one sentence each. */
  readonly rules: readonly string[];
  /** What is to be done, in a sentence or two that hold nothing of the material. */
  readonly task: string;
  /** What it is to be done with, by name. */
  readonly material: Readonly<Record<string, string | undefined>>;
}

/** A system prompt and a prompt. */
export interface ComposedPrompt {
  readonly system: string;
  readonly prompt: string;
}

/**
 * Puts a question together: the role and the rules in the system prompt, the task before and after the material, which stands
 * between tags of its own. The task comes last, too, since what stands last weighs most.
 */
export function composePrompt({ role, rules, task, material }: PromptParts): ComposedPrompt {
  const list = [...rules, MATERIAL_RULE].map((rule) => `- ${rule}`).join("\n");
  return {
    system: `${role}\n\nRules:\n${list}`,
    prompt: `${task}\n\n${fenceMaterial(material)}\n\nNow do the task above, and answer in the form that the rules ask for.`,
  };
}
