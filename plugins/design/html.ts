/** Text that may be sent as HTML. Only `html` and `trusted` make it. */
class SafeHtml {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type Html = SafeHtml

/** What a template may contain. Nothing is shown for null, undefined and false. */
export type Content = Html | string | number | null | undefined | false | readonly Content[]

/** Makes HTML of a template. Escapes its values, except HTML. Attributes must be in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new SafeHtml(
    withoutIndent(strings).reduce((text, part, index) => text + show(values[index - 1]) + part),
  )
}

/** Takes a text as HTML that a generator of ours has made and escaped, never what somebody has typed. */
export function trusted(text: string): Html {
  return new SafeHtml(text)
}

const shortened = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Leaves out how a template is indented: pages of hundreds of rows get a fifth shorter. */
function withoutIndent(strings: TemplateStringsArray): readonly string[] {
  const known = shortened.get(strings)
  if (known) return known
  const parts = strings.map((part) => part.replace(/\n\s+/g, "\n"))
  shortened.set(strings, parts)
  return parts
}

function show(content: Content): string {
  if (content === null || content === undefined || content === false) return ""
  if (content instanceof SafeHtml) return content.toString()
  if (Array.isArray(content)) return content.map(show).join("")
  return escapeHtml(String(content))
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes a text for HTML, in an element or in an attribute in quotes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
