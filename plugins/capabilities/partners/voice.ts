/** Who is told: an operator of a partner, or the partner of itself. */
export type Voice = "operator" | "partner"

/**
 * Returns a tag for texts in a voice. `[It has|You have]` tells an operator the first, and a partner the second; values stay as
 * they are.
 */
export function inVoice(voice: Voice) {
  return (texts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
    texts.map((text, index) => {
      const said = text.replace(/\[([^|\]]*)\|([^\]]*)\]/g, voice === "operator" ? "$1" : "$2")
      return `${said}${values[index] ?? ""}`
    }).join("")
}
