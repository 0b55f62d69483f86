import { Buffer } from "node:buffer"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { chooseEncoding, etagOf, matchesEtag } from "../../core/plugin.ts"

/** A file, ready to send: plain and compressed. */
export interface ServedFile {
  readonly type: string
  readonly plain: Representation
  readonly gzip: Representation
}

interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

const compress = promisify(gzip)

/** Compresses a text for serving. `type` is its media type, such as `text/html`. */
export async function servedFile(text: string, type: string): Promise<ServedFile> {
  return {
    type: `${type}; charset=utf-8`,
    plain: representation(Buffer.from(text)),
    gzip: representation(await compress(text)),
  }
}

/**
 * Responds with a file, compressed if the caller accepts gzip, or with 304 if the caller has it. Caches keep it and
 * revalidate it before each use, unless `headers` override that.
 */
export function respondFile(
  request: Request,
  file: ServedFile,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const encoding = chooseEncoding(request.headers.get("accept-encoding"), ["gzip"])
  const { bytes, etag } = encoding ? file.gzip : file.plain
  const all = { "cache-control": "no-cache", vary: "Accept-Encoding", etag, ...headers }
  if (matchesEtag(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: all })
  }
  return new Response(bytes, {
    headers: {
      ...all,
      "content-type": file.type,
      "content-length": String(bytes.byteLength),
      ...encoding && { "content-encoding": encoding },
    },
  })
}

function representation(bytes: Uint8Array): Representation {
  return { bytes: new Uint8Array(bytes), etag: etagOf(bytes) }
}
