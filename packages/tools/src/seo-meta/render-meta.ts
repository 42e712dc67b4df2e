/** What a page says of itself. */
export interface SeoMeta {
  readonly title: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly ogTitle: string;
  readonly ogDescription: string;
  readonly ogType: "website" | "article" | "product" | "profile";
  readonly twitterCard: "summary" | "summary_large_image";
}

/** Where a page is. */
export interface PagePlace {
  readonly canonical?: string | undefined;
  readonly siteName?: string | undefined;
}

/** Renders tags for the head of a page. Every value is escaped, so none can end its tag. */
export function renderMeta(meta: SeoMeta, { canonical, siteName }: PagePlace): string {
  const { title, description, keywords, ogTitle, ogDescription, ogType, twitterCard } = meta;
  const tags = [
    `<title>${escapeHtml(title)}</title>`,
    renderTag("name", "description", description),
    renderTag("name", "keywords", keywords.length === 0 ? undefined : keywords.join(", ")),
    canonical === undefined ? "" : `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    renderTag("property", "og:type", ogType),
    renderTag("property", "og:title", ogTitle),
    renderTag("property", "og:description", ogDescription),
    renderTag("property", "og:url", canonical),
    renderTag("property", "og:site_name", siteName),
    renderTag("name", "twitter:card", twitterCard),
    renderTag("name", "twitter:title", ogTitle),
    renderTag("name", "twitter:description", ogDescription),
  ];
  return tags.filter((tag) => tag !== "").join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Writes text so that it is text in HTML, too, also within quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function renderTag(kind: "name" | "property", name: string, content: string | undefined): string {
  return content === undefined ? "" : `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;
}
