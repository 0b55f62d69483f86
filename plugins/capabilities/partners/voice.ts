/** Who is addressed: an operator, about a partner; or the partner itself. */
export type Voice = "operator" | "partner"

/** Returns a text in a voice: of `[It has|You have]`, operators read the first form, partners the second. */
export function voiced(text: string, voice: Voice): string {
  return text.replace(/\[([^|\]]*)\|([^\]]*)\]/g, voice === "operator" ? "$1" : "$2")
}

/** Returns a template tag for texts in a voice. Interpolated values stay as they are. */
export function inVoice(voice: Voice) {
  return (texts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
    texts.map((text, index) => `${voiced(text, voice)}${values[index] ?? ""}`).join("")
}
