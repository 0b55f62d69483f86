import {
  anyone,
  type Catalogue,
  handler,
  type HandlerContext,
  Problem,
} from "../../../core/plugin.ts"
import { respondFile, servedFile } from "../../design/design.ts"

const path = "/.well-known/security.txt"
const day = 86_400_000

/** Names the operator's contact for reporting vulnerabilities (RFC 9116). */
export const securityText = handler("GET", path, {
  auth: anyone,
  needs: ["catalogue"],
  handle: sendText,
  describe: {
    summary: "Security contact",
    description: "Who to contact about a vulnerability (RFC 9116).",
    answers: { 200: "text/plain", 304: null },
    headers: ["Cache-Control", "Vary", "ETag"],
  },
})

async function sendText({ request, host }: HandlerContext<"catalogue">): Promise<Response> {
  const { contact, server } = await host.catalogue()
  if (contact === undefined) throw new Problem("not_found", "The operator names no contact.")
  const text = textOf({ contact, server }, Date.now())
  return respondFile(request, await servedFile(text, "text/plain"))
}

/** Returns the file. It expires a year after `now`, in milliseconds: it is as current as the running configuration. */
function textOf(
  { contact, server }: { readonly contact: string } & Pick<Catalogue, "server">,
  now: number,
): string {
  const expires = new Date((Math.floor(now / day) + 365) * day)
  const fields = {
    Contact: contact.startsWith("https:") ? contact : `mailto:${contact}`,
    Expires: expires.toISOString().replace(".000Z", "Z"),
    "Preferred-Languages": "en",
    // RFC 9116 only allows an https URL.
    ...server.startsWith("https:") && { Canonical: server + path },
  }
  return Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`).join("")
}
