/**
 * What a listing asks for, for its line in the log: nothing personal. Of `q` only the length, and
 * of the rest only what is of its right form, since anyone may type an e-mail address anywhere.
 */
export function describeListing(search: string, eventId: string | undefined): object {
  const asked = new URLSearchParams(search)
  const q = asked.get("q")
  return {
    action: "list",
    ...(eventId === undefined ? {} : { event: eventId }),
    ...wholeNumber("since", asked.get("since")),
    ...wholeNumber("offset", asked.get("offset")),
    ...(q === null ? {} : { searchLength: [...q].length }),
  }
}

/** What a listing was answered with: how many rows, and after which cursor, which has proved right. */
export function describeAnswer(search: string, rows: number): object {
  const cursor = new URLSearchParams(search).get("cursor")
  return { rows, ...(cursor === null ? {} : { cursor }) }
}

function wholeNumber(name: string, value: string | null): Record<string, number> {
  return value !== null && /^-?\d{1,15}$/.test(value) ? { [name]: Number(value) } : {}
}
