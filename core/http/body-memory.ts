import { Buffer } from "node:buffer"
import type { Bytes } from "./answer.ts"

/** Bytes of the smallest memory, and of the largest that is used again. All have a power of two. */
const [smallest, largest] = [64 * 1024, 8 * 1024 * 1024]

/** The bytes that wait to be used again, at most. */
const mostFree = 32 * 1024 * 1024

/** Memory that was given back, the newest last. */
const free: ArrayBuffer[] = []
let freeBytes = 0

/**
 * Returns memory for a body of so many bytes, which are whatever they were before. It can be given back once the body is
 * sent: new memory costs as much as writing the body. Else the garbage collector frees it.
 */
export function takeMemory(length: number): Buffer<ArrayBuffer> {
  const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(length)))
  const at = free.findLastIndex(({ byteLength }) => byteLength === size)
  const [memory] = at < 0 ? [] : free.splice(at, 1)
  if (memory) freeBytes -= size
  return memory ? Buffer.from(memory, 0, length) : Buffer.from(new ArrayBuffer(size), 0, length)
}

/** Gives the memory of a body back, which nothing may be reading any more. All views of it become empty. */
export function giveBack({ buffer }: Bytes): void {
  if (buffer.detached || buffer.byteLength > largest) return
  const memory = buffer.transfer()
  free.push(memory)
  freeBytes += memory.byteLength
  while (freeBytes > mostFree) freeBytes -= free.shift()?.byteLength ?? 0
}
