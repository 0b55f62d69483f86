import { longestBody, Problem, problems } from "./problems.ts"

/**
 * Reads a request's JSON body.
 *
 * @throws {Problem} 415 for another content type, 413 past `longestBody`, 400 if the body is not JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") {
    throw new Problem("unsupported_media_type", problems.unsupported_media_type.detail)
  }
  const text = await readText(request)
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem("invalid_body", problems.invalid_body.detail)
  }
}

async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength
      if (length > longestBody) throw tooLarge()
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem("invalid_body", "The body is not UTF-8, or was cut short.")
  }
}

function tooLarge(): Problem {
  const headers = { connection: "close" }
  return new Problem("body_too_large", problems.body_too_large.detail, { headers })
}
