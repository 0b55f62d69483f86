import { LogOutput, printable, type Terminal } from "../../../core/commands.ts"

/**
 * Returns the output that replaces a terminal's last line, `former`, with `line`, and prints the lines `above` before
 * it. The former line has wrapped if the window became narrower.
 */
export function replaceLine(
  former: string,
  { above = "", line, columns }: {
    readonly above?: string
    readonly line: string
    readonly columns: number
  },
): string {
  const wrapped = Math.ceil(former.length / columns) - 1
  const up = wrapped > 0 ? `\x1b[${wrapped}A` : ""
  return `${up}\r\x1b[J${above}${line}`
}

/** A terminal whose last line is updated in place, below all printed lines. */
export class Screen {
  readonly #output: LogOutput
  readonly #columns: () => number
  readonly #timer: NodeJS.Timeout
  #line = () => ""
  #shown = ""

  /** Calls `onGone` if the terminal is no longer there. */
  constructor({ write, columns }: Pick<Terminal, "write" | "columns">, onGone: () => void) {
    this.#columns = () => columns?.() || usualColumns
    this.#output = new LogOutput({
      write: (bytes) =>
        write(bytes).catch((error) => {
          if (error.code === "EIO") onGone()
          throw error
        }),
      notify: () => {},
      collecting: 0,
    })
    this.#timer = setInterval(() => this.#draw(), 1000)
  }

  /** Shows this line from now on, updated every second. */
  show(line: () => string): void {
    this.#line = line
    this.#draw()
  }

  /** Prints lines that stay. */
  print(text: string): void {
    this.#draw(`${printable(text)}\n`)
  }

  /** Removes the line. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.show(() => "")
    await this.#output.close(500)
  }

  #draw(above = ""): void {
    const columns = this.#columns()
    // A line that fills its row would continue in the next one.
    const line = printable(this.#line()).slice(0, columns - 1)
    this.#output.write(replaceLine(this.#shown, { above, line, columns }))
    this.#shown = line
  }
}

/** The columns of a terminal that does not report them. */
const usualColumns = 80
