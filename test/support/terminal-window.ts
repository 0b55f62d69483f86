/** A window of a terminal, as far as this program uses one: text, line feeds, and few sequences of control characters. */
export class TerminalWindow {
  #rows: string[] = [""]
  #row = 0
  #column = 0
  #columns: number

  constructor(columns: number) {
    this.#columns = columns
  }

  /** Returns its rows, from the first to the last that has a character. */
  get rows(): readonly string[] {
    const last = this.#rows.findLastIndex((row) => row !== "")
    return this.#rows.slice(0, last + 1)
  }

  write(text: string): void {
    const [first = "", ...others] = text.split("\x1b[")
    this.#putAll(first)
    for (const other of others) {
      const [, number, letter, rest = ""] = /^(\d*)([A-Z])(.*)$/s.exec(other) ?? []
      if (letter === "A") this.#row -= Number(number)
      else if (letter === "J" || letter === "K") this.#eraseBelow()
      else throw new Error(`not known: ${JSON.stringify(other)}`)
      this.#putAll(rest)
    }
  }

  /** Gives it another width. Rows that are too long wrap, as in most terminals. The cursor stays at the end. */
  resize(columns: number): void {
    this.#columns = columns
    const pattern = new RegExp(`.{1,${columns}}|^$`, "g")
    this.#rows = this.#rows.flatMap((row) => row.match(pattern) ?? [])
    this.#row = this.#rows.length - 1
    this.#column = this.#rows[this.#row]?.length ?? 0
  }

  #putAll(text: string): void {
    for (const character of text) {
      if (character === "\r") this.#column = 0
      else if (character === "\n") this.#feed()
      else this.#put(character)
    }
  }

  #put(character: string): void {
    if (this.#column === this.#columns) this.#feed()
    const row = this.#rows[this.#row] ?? ""
    this.#rows[this.#row] = row.slice(0, this.#column) + character + row.slice(this.#column + 1)
    this.#column++
  }

  #feed(): void {
    this.#column = 0
    this.#rows[++this.#row] ??= ""
  }

  #eraseBelow(): void {
    this.#rows.length = this.#row + 1
    this.#rows[this.#row] = this.#rows[this.#row]?.slice(0, this.#column) ?? ""
  }
}
