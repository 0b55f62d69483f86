/** What happened in a world, in the order in which it happened. */
export class Story {
  readonly #now: () => number
  readonly lines: string[] = []
  /** Is called with each line. */
  onTell: (line: string) => void = () => {}

  /** `now` returns the milliseconds since the world began. */
  constructor(now: () => number) {
    this.#now = now
  }

  tell(text: string): void {
    const line = `${momentOf(this.#now())} ${text.replaceAll("\n", " ")}`
    this.lines.push(line)
    this.onTell(line)
  }
}

/** Returns a time in milliseconds as `2d 03:04:05.678`. */
export function momentOf(milliseconds: number): string {
  const text = new Date(Math.round(milliseconds)).toISOString().slice(11, 23)
  return `${Math.floor(milliseconds / 86_400_000)}d ${text}`
}
