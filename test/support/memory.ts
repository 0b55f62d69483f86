import { existsSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"

const folder = "/dev/shm"

/**
 * Returns a folder in memory if there is one with so much room, else the one of temporary files. `least` is in GiB.
 *
 * It is for databases of this process and of MySQL: Deno may not write there, and nobody may run programs from there.
 */
export function memoryOrDisk(least: number): string {
  if (!existsSync(folder)) return tmpdir()
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > least * 2 ** 30 ? folder : tmpdir()
}
