import { Buffer } from "node:buffer"
import type { Bytes } from "./answer.ts"

/** The smallest buffer, and the largest that is reused, in bytes. Sizes are powers of two. */
const [smallest, largest] = [64 * 1024, 8 * 1024 * 1024]

/** Upper bound for the bytes that are kept for reuse. */
const mostFree = 32 * 1024 * 1024

/** Memory that was given back, the newest last. */
const free: ArrayBuffer[] = []
let freeBytes = 0

/**
 * Returns uninitialized memory for a body of `length` bytes. It can be given back once the body is sent: new memory
 * costs as much as writing the body. Otherwise, it is garbage-collected.
 */
export function takeMemory(length: number): Buffer<ArrayBuffer> {
  const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(length)))
  const at = free.findLastIndex(({ byteLength }) => byteLength === size)
  const [memory] = at < 0 ? [] : free.splice(at, 1)
  if (memory) freeBytes -= size
  return memory ? Buffer.from(memory, 0, length) : Buffer.from(new ArrayBuffer(size), 0, length)
}

/** Gives back the memory of a body. Nothing may read it any more: all views of it become empty. */
export function giveBack({ buffer }: Bytes): void {
  if (buffer.detached || buffer.byteLength > largest) return
  const memory = buffer.transfer()
  free.push(memory)
  freeBytes += memory.byteLength
  while (freeBytes > mostFree) freeBytes -= free.shift()?.byteLength ?? 0
}
