import type { Catalogue } from "../../../core/plugin.ts"
import { ResponseHeaders } from "./headers.ts"
import { familiesOf, operationIds } from "./names.ts"
import { operationOf, templateOf, tokenUrlOf } from "./operation.ts"
import { Parameters } from "./parameters.ts"
import { ProblemResponses } from "./problems.ts"
import { type Json, Schemas } from "./schemas.ts"
import { routesToDescribe } from "./selection.ts"
import { type Webhook, webhooksOf } from "./webhooks.ts"
import packageFile from "../../../package.json" with { type: "json" }

const about = `Guests and items of fundraising events, for partners that poll for changes.

Log in with \`POST /session\` and send the cookie that it sets, or with \`Prefer: return=representation\` the token of
the body as \`Authorization: Bearer\`. Events whose path has \`/changes\` have one feed of all changes. Lists
take \`since\`: follow the URL in \`Link\` until there is none, store records by \`id\`, and send \`Next-Since\`
of the first page as \`since\` in the next poll. HEAD works wherever GET does. Errors are problem details (RFC 9457) with a \`code\`. Besides
the errors of each operation there are \`not_found\` for unknown URLs and \`method_not_allowed\` for methods
that a URL does not support.`

/** Returns the OpenAPI 3.1 document of a catalogue. It reveals nothing about other routes. */
export function openApiDocument(catalogue: Catalogue, webhooks: readonly Webhook[] = []): Json {
  const { server, contact, cookie, summaries } = catalogue
  const routes = routesToDescribe(catalogue)
  const [names, families] = [operationIds(routes), familiesOf(routes)]
  const schemas = new Schemas()
  const headers = new ResponseHeaders()
  const parameters = new Parameters()
  const problems = new ProblemResponses()
  const parts = { catalogue, families, schemas, problems, headers, parameters }
  const byPath = Map.groupBy(routes, ({ pattern }) => templateOf(pattern.text))
  const paths = Object.fromEntries(
    [...byPath].map(([path, sharing]) => [
      path,
      Object.fromEntries(sharing.map((route) => [
        route.method.toLowerCase(),
        { operationId: names.get(route), ...operationOf(route, parts) },
      ])),
    ]),
  )
  const plugins = [...new Set(routes.map(({ plugin }) => plugin))]
  const tokenUrl = tokenUrlOf({ routes })
  return {
    openapi: "3.1.0",
    info: {
      title: packageFile.name,
      version: packageFile.version,
      summary: packageFile.description,
      description: about,
      ...contact === undefined ? {} : { contact: contactOf(contact) },
      license: { name: packageFile.license, identifier: packageFile.license },
    },
    servers: [{ url: server }],
    tags: plugins.map((name) => ({ name, description: summaries.get(name) ?? name })),
    paths,
    ...webhooksOf(webhooks, schemas),
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookie,
          description: "Set by `POST /session`.",
        },
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The token of `POST /session` with `Prefer: return=representation`.",
        },
        ...tokenUrl && {
          oauth: {
            type: "oauth2",
            description: "For tools that only support OAuth 2.0: the client ID is the user name.",
            flows: { clientCredentials: { tokenUrl, scopes: {} } },
          },
        },
      },
      parameters: parameters.components,
      headers: headers.components,
      schemas: schemas.components,
      responses: problems.responses,
      examples: problems.examples,
    },
  }
}

function contactOf(contact: string): Json {
  return { name: "Questions", [contact.startsWith("https:") ? "url" : "email"]: contact }
}
