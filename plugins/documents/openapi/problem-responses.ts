import {
  type Catalogue,
  type MountedRoute,
  type ProblemCode,
  problems,
} from "../../../core/plugin.ts"
import type { ResponseHeaders } from "./headers.ts"
import { problemSchema, problemsOf } from "./problems.ts"
import { pascal } from "./names.ts"
import { type Json, type Schemas, sortedByName } from "./schemas.ts"

/** The request id of the examples. */
export const exampleRequestId = "b7c1f0de-58a6-4f0c-9d3e-2a41c6f5e810"

/** The error responses of a document. Routes with the same errors share them. */
export class ProblemResponses {
  readonly #responses = new Map<string, Json>()
  readonly #examples = new Map<string, Json>()

  /** Returns references to the errors of a route, by status. */
  of(route: MountedRoute, { catalogue, schemas, headers: components }: {
    readonly catalogue: Catalogue
    readonly schemas: Schemas
    readonly headers: ResponseHeaders
  }): Json {
    return Object.fromEntries(
      problemsOf(route).map(({ status, codes, headers }) => {
        const examples = codes.map((code) => this.#nameExample(code, route, catalogue))
        const name = add(this.#responses, variants(nameOf(examples), route).map(pascal), {
          description: codes.map((code) => `${problems[code].title} (\`${code}\`)`).join("; or: "),
          headers: components.of(headers),
          content: {
            "application/problem+json": {
              schema: schemas.of(problemSchema),
              examples: Object.fromEntries(
                codes.map((code, index) => [code, {
                  $ref: `#/components/examples/${examples[index]}`,
                }]),
              ),
            },
          },
        })
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  /** The responses with references, by name. */
  get responses(): Json {
    return sortedByName(this.#responses)
  }

  /** The examples of those responses, by name. */
  get examples(): Json {
    return sortedByName(this.#examples)
  }

  #nameExample(code: ProblemCode, route: MountedRoute, { example }: Catalogue): string {
    const value = example(code, route).toJSON(exampleRequestId)
    const ofEvent = code === "invalid_parameter" && route.pattern.parameters.includes("eventId")
    return add(this.#examples, variants(ofEvent ? "invalid_event_id" : code, route), {
      summary: problems[code].title,
      value,
    })
  }
}

function nameOf(examples: readonly string[]): string {
  return examples.map(pascal).join("Or")
}

/** Returns names for an error: that of most routes, that of a plugin, and those of a single route. */
function variants(name: string, { plugin, method, pattern: { text } }: MountedRoute): string[] {
  const path = text.replaceAll(/[^A-Za-z0-9]+/g, "_")
  return [name, `${name}_${plugin}`, `${name}_${method.toLowerCase()}${path}`]
}

/** Stores a value under the first name that no other value has, and returns the name. */
function add(kept: Map<string, Json>, names: readonly string[], value: Json): string {
  const text = JSON.stringify(value)
  const isFree = (name: string) => !kept.has(name) || JSON.stringify(kept.get(name)) === text
  const name = names.find(isFree)
  if (name === undefined) throw new TypeError(`no name is left for the error ${names[0]}`)
  kept.set(name, value)
  return name
}
