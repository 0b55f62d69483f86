import { Problem } from "./problems.ts"

/** Bytes of a JSON body, at most: nothing here takes more than a name and a password. */
export const longestBody = 4096

/**
 * Reads a request's JSON body.
 *
 * @throws {Problem} 415 for another content type, 413 past `longestBody`, 400 for what is not JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") {
    throw new Problem(
      "unsupported_media_type",
      "Send JSON with the header content-type: application/json.",
    )
  }
  const text = await readText(request)
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem("invalid_body", "The body is not JSON.")
  }
}

async function readText(request: Request): Promise<string> {
  const tooLarge = new Problem(
    "body_too_large",
    `The body may have ${longestBody} bytes at most.`,
    {
      headers: { connection: "close" },
    },
  )
  if (Number(request.headers.get("content-length")) > longestBody) throw tooLarge
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength
      if (length > longestBody) throw tooLarge
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem("invalid_body", "The body is not UTF-8, or was cut short.")
  }
}
