// Answers calls of the parts of pings that touch the network, one JSON text per line: for tests on other runtimes.
import process from "node:process"
import { createInterface } from "node:readline"
import { isPublic } from "../../../plugins/capabilities/ping/addresses.ts"
import {
  type Message,
  Poster,
  type PosterOptions,
} from "../../../plugins/capabilities/ping/post.ts"
import { signedHeaders, type SignedMessage } from "../../../plugins/capabilities/ping/signature.ts"

/** A call; its result follows in a line of its own with the same number. */
export type Call =
  & { readonly number: number }
  & (
    | { readonly post: [url: string, message: Message] }
    | { readonly isPublic: string }
    | { readonly sign: SignedMessage }
    | { readonly close: true }
  )

const options: PosterOptions = JSON.parse(process.argv[2] ?? "{}")
const poster = new Poster(options)

for await (const line of createInterface({ input: process.stdin })) {
  const call: Call = JSON.parse(line)
  Promise.resolve(answer(call)).then((result) =>
    process.stdout.write(`${JSON.stringify({ number: call.number, result })}\n`)
  )
}
poster.close()

function answer(call: Call): unknown {
  if ("post" in call) return poster.post(...call.post)
  if ("isPublic" in call) return isPublic(call.isPublic)
  if ("sign" in call) return signedHeaders(call.sign)
  return poster.close()
}
