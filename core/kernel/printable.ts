/**
 * Characters that a terminal would obey instead of showing, except line feeds and tabs, and those that reorder a line.
 */
const controls = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Returns a text as a terminal may get it: controls look like `\u001b`, lines stay lines. JSON keeps its meaning. For
 * everything that is printed, since organizers choose names.
 */
export function printable(text: string): string {
  return text.replace(controls, escape)
}

/** Returns a text as one line that a terminal may get. For names: they must not look like lines of their own. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, escape)
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
}
