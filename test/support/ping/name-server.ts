import { Buffer } from "node:buffer"
import { createSocket } from "node:dgram"
import type { Test } from "tap"

/** What a name server of the tests says about a name: addresses, another name, or nothing at all. */
export interface NameRecord {
  readonly a?: readonly string[]
  readonly aaaa?: readonly ["::1"]
  /** The name that this one is an alias of. */
  readonly alias?: string
  /** Does not answer. */
  readonly silent?: "a" | "aaaa" | "both"
}

/** A name server on loopback. */
export interface NameServer {
  readonly address: string
  /** The questions so far, such as `A hooks.example.org`. */
  readonly questions: readonly string[]
}

const loopback6 = Buffer.from([...Array(15).fill(0), 1])

const types: Record<number, "a" | "aaaa"> = { 1: "a", 28: "aaaa" }

/** Starts a name server (UDP). It is asked for a name once per question, so its answer may change. */
export async function startNameServer(
  t: Test,
  lookUp: (name: string) => NameRecord | undefined,
): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket("udp4")
  t.teardown(() => void socket.close())
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const kind = types[type]
    questions.push(`${kind?.toUpperCase()} ${name}`)
    const record = lookUp(name)
    if (record?.silent === "both" || (kind && record?.silent === kind)) return
    const answers = kind && record ? follow(name, { kind, record, lookUp }) : []
    const header = Buffer.alloc(12)
    header.writeUInt16BE(query.readUInt16BE(0), 0)
    // Of a recursive server: an answer; no such name.
    header.writeUInt16BE(record ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  })
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound))
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

/** Returns the records of an answer: the aliases, then the addresses of the last one. */
function follow(name: string, { kind, record, lookUp }: {
  readonly kind: "a" | "aaaa"
  readonly record: NameRecord
  readonly lookUp: (name: string) => NameRecord | undefined
}): Buffer[] {
  const { alias } = record
  if (alias === undefined) {
    return [...record[kind] ?? []].map((address) =>
      kind === "a"
        ? resource(name, 1, Buffer.from(address.split(".").map(Number)))
        : resource(name, 28, loopback6)
    )
  }
  const next = lookUp(alias)
  return [
    resource(name, 5, encodeName(alias)),
    ...next ? follow(alias, { kind, record: next, lookUp }) : [],
  ]
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]; length; length = query[at]) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Returns a record that may not be kept. */
function resource(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodeName(name), fixed, data])
}

function encodeName(name: string): Buffer {
  return Buffer.concat([
    ...name.split(".").map((label) =>
      Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])
    ),
    Buffer.from([0]),
  ])
}
