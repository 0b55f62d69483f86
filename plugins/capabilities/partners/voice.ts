/** Who is told: an operator of a partner, or the partner of itself. */
export type Voice = "operator" | "partner"

/** Returns a text in a voice: `[It has|You have]` tells an operator the first, and a partner the second. */
export function voiced(text: string, voice: Voice): string {
  return text.replace(/\[([^|\]]*)\|([^\]]*)\]/g, voice === "operator" ? "$1" : "$2")
}

/** Returns a tag for texts in a voice. Values stay as they are. */
export function inVoice(voice: Voice) {
  return (texts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
    texts.map((text, index) => `${voiced(text, voice)}${values[index] ?? ""}`).join("")
}
