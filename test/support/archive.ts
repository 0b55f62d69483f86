import { Buffer } from "node:buffer"

/** A file in an archive: its path, its text and, if they are not the usual ones, its mode and whole fields of the header. */
export interface Member {
  readonly path: string
  readonly text: string
  readonly mode?: number
  /** Texts by the byte of the header at which they begin. */
  readonly at?: Readonly<Record<number, string>>
}

/** Makes a tar archive as npm does: without owners, and of one time. */
export function archiveOf(members: readonly Member[]): Buffer {
  const blocks = members.flatMap(({ path, text, mode = 0o644, at = {} }) => {
    const content = Buffer.from(text)
    const header = Buffer.alloc(512)
    const fields = {
      0: path,
      100: `${mode.toString(8).padStart(6, "0")} `,
      124: `${content.length.toString(8).padStart(11, "0")} `,
      136: "03560116604 ",
      156: "0",
      257: "ustar\0" + "00",
      ...at,
    }
    for (const [start, field] of Object.entries(fields)) header.write(field, Number(start))
    header.fill(" ", 148, 156)
    const sum = header.reduce((sum, byte) => sum + byte, 0)
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
    return [header, content, Buffer.alloc((512 - content.length % 512) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
