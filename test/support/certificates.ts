import { Buffer } from "node:buffer"
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto"
import { isIPv4 } from "node:net"

/** A certificate with its private key, in PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** A certificate authority. */
export interface Authority extends Certificate {
  /** Issues a certificate of a server, for names such as `db.example` and IPv4 addresses. */
  issue(...names: string[]): Certificate
  /** Issues a certificate that was valid until an hour ago. */
  issueExpired(...names: string[]): Certificate
}

/** Creates a certificate authority with a key of its own. */
export function createAuthority(name: string): Authority {
  const { publicKey, privateKey } = newKeys()
  const own = { issuer: name, issuerKey: privateKey }
  const authority = pairOf(
    certificateOf({ ...own, subject: name, publicKey, extensions: [isAuthority] }),
    privateKey,
  )
  const issue = (names: readonly string[], until?: number) => {
    const { publicKey, privateKey } = newKeys()
    const extensions = [alternativeNames(names)]
    const subject = "A server of the tests"
    return pairOf(certificateOf({ ...own, subject, publicKey, extensions, until }), privateKey)
  }
  return {
    ...authority,
    issue: (...names) => issue(names),
    issueExpired: (...names) => issue(names, Date.now() - hour),
  }
}

function newKeys() {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" })
}

function pairOf(der: Buffer, key: KeyObject): Certificate {
  const certificate = new X509Certificate(der).toString()
  return { certificate, key: key.export({ type: "pkcs8", format: "pem" }).toString() }
}

const hour = 3_600_000
const day = 24 * hour

/** Returns a certificate in DER: RFC 5280, section 4.1. */
function certificateOf({ issuer, issuerKey, subject, publicKey, extensions, until }: {
  readonly issuer: string
  readonly issuerKey: KeyObject
  readonly subject: string
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly until?: number | undefined
}): Buffer {
  const serial = Buffer.from(crypto.getRandomValues(new Uint8Array(8)))
  serial[0] = 1
  const content = sequence(
    tagged(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(Date.now() - day), time(until ?? Date.now() + day)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  )
  return sequence(content, ecdsaWithSha256, bits(sign("sha256", content, issuerKey)))
}

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))

/** The extension of an authority: basicConstraints, critical, with cA. */
const isAuthority = sequence(
  oid("551d13"),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
)

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIPv4(name)
      ? der(0x87, Buffer.from(name.split(".").map(Number)))
      : der(0x82, Buffer.from(name))
  )
  return sequence(oid("551d11"), der(0x04, sequence(...entries)))
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(commonName)))))
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "")
  return der(0x17, Buffer.from(digits.slice(2)))
}

function oid(hexadecimal: string): Buffer {
  return der(0x06, Buffer.from(hexadecimal, "hex"))
}

function bits(bytes: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  return der(tag, Buffer.concat(parts))
}

/** Encodes a value with its tag and length. */
function der(tag: number, value: Buffer): Buffer {
  const { length } = value
  const size = length < 128
    ? [length]
    : length < 256
    ? [0x81, length]
    : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}
