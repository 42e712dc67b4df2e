/** What is known of a way to write user interfaces. */
export interface UiFramework {
  readonly label: string;
  /** What one file of it looks like. */
  readonly form: string;
  /** What every such file has. */
  readonly mark: RegExp;
  /** The mark, in words. */
  readonly markName: string;
  /** What a form in it has, besides; `undefined` where forms are not made of HTML. */
  readonly formMark: RegExp | undefined;
}

const HTML_FORM = /<form[\s>]/i;

const JSX_FORM =
  "one module that exports the component as its default export, with typed props where the language has types";
const EXPORT = { mark: /\bexport\b/, markName: "an export", formMark: HTML_FORM };

const FRAMEWORKS: ReadonlyMap<string, UiFramework> = new Map([
  ["react", { label: "React", form: `${JSX_FORM}; function components and hooks, no classes`, ...EXPORT }],
  [
    "next",
    {
      label: "Next.js",
      form: `${JSX_FORM}; "use client" at its top only where it needs state, effects or events`,
      ...EXPORT,
    },
  ],
  ["preact", { label: "Preact", form: JSX_FORM, ...EXPORT }],
  ["solid", { label: "SolidJS", form: `${JSX_FORM}; signals, and props that are never destructured`, ...EXPORT }],
  ["qwik", { label: "Qwik", form: JSX_FORM, ...EXPORT }],
  ["reactnative", { label: "React Native", form: JSX_FORM, ...EXPORT, formMark: undefined }],
  [
    "vue",
    {
      label: "Vue 3",
      form: "one single-file component: <script setup>, <template> and, where it needs styles, <style scoped>",
      mark: /<template[\s>]/,
      markName: "a <template>",
      formMark: HTML_FORM,
    },
  ],
  [
    "nuxt",
    {
      label: "Nuxt",
      form: "one single-file component: <script setup>, <template> and, where it needs styles, <style scoped>",
      mark: /<template[\s>]/,
      markName: "a <template>",
      formMark: HTML_FORM,
    },
  ],
  [
    "svelte",
    {
      label: "Svelte 5",
      form: "one component file with runes: <script>, markup and, where it needs styles, <style>",
      mark: /<[a-z]/i,
      markName: "markup",
      formMark: HTML_FORM,
    },
  ],
  [
    "angular",
    {
      label: "Angular",
      form: "one file with a standalone component, its template and its styles inline",
      mark: /@Component\s*\(/,
      markName: "a @Component",
      formMark: HTML_FORM,
    },
  ],
  [
    "lit",
    {
      label: "Lit",
      form: "one module that defines, registers and exports a custom element",
      mark: /\bhtml`/,
      markName: "a template",
      formMark: HTML_FORM,
    },
  ],
  [
    "webcomponents",
    {
      label: "Web Components",
      form: "one module that defines, registers and exports a custom element, without any library",
      mark: /customElements\.define\s*\(/,
      markName: "a call of customElements.define",
      formMark: HTML_FORM,
    },
  ],
  [
    "astro",
    {
      label: "Astro",
      form: "one .astro file: front matter between --- lines where it needs any, then markup",
      mark: /<[a-z]/i,
      markName: "markup",
      formMark: HTML_FORM,
    },
  ],
  [
    "html",
    {
      label: "plain HTML",
      form: "one fragment of HTML with its styles in <style> and its behaviour, if any, in <script>",
      mark: /<[a-z]/i,
      markName: "markup",
      formMark: HTML_FORM,
    },
  ],
]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["webcomponent", "webcomponents"],
  ["customelement", "webcomponents"],
  ["customelements", "webcomponents"],
  ["sveltekit", "svelte"],
  ["vanilla", "html"],
  ["plainhtml", "html"],
]);

/** Finds a framework by its name as people write it, such as "Vue 3", "vue.js" or "vue". An unknown one is asked for by its name. */
export function findUiFramework(name: string): UiFramework {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const key = letters.length > 2 && letters.endsWith("js") ? letters.slice(0, -2) : letters;
  return (
    FRAMEWORKS.get(ALIASES.get(key) ?? key) ?? {
      label: JSON.stringify(name),
      form: "one file, as this framework has it",
      mark: /\S/,
      markName: "code",
      formMark: undefined,
    }
  );
}
