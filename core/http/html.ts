const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes a text for HTML, in an element or in an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Returns true for requests of browsers for a page. */
export function wantsPage({ headers }: Pick<Request, "headers">): boolean {
  return headers.get("accept")?.includes("text/html") ?? false
}
