import {
  type Catalogue,
  type MountedRoute,
  type ProblemCode,
  problems,
} from "../../../core/plugin.ts"
import { exampleRequestId } from "./examples.ts"
import type { ResponseHeaders } from "./headers.ts"
import { problemSchema, problemsOf } from "./problems.ts"
import { pascal } from "./names.ts"
import type { Json, Schemas } from "./schemas.ts"

/** The error responses of a document. Routes with the same errors share them. */
export class ProblemResponses {
  readonly #example: Catalogue["example"]
  readonly #schemas: Schemas
  readonly #headers: ResponseHeaders
  readonly #responses = new Map<string, Json>()
  readonly #examples = new Map<string, Json>()

  constructor(
    example: Catalogue["example"],
    { schemas, headers }: { readonly schemas: Schemas; readonly headers: ResponseHeaders },
  ) {
    this.#example = example
    this.#schemas = schemas
    this.#headers = headers
  }

  /** Returns references to the errors of a route, by status. */
  of(route: MountedRoute): Json {
    return Object.fromEntries(
      problemsOf(route).map(({ status, codes, headers }) => {
        const examples = codes.map((code) => this.#nameExample(code, route))
        const name = add(this.#responses, variants(nameOf(examples), route).map(pascal), {
          description: codes.map((code) => `${problems[code].title} (\`${code}\`)`).join("; or: "),
          headers: this.#headers.of(headers),
          content: {
            "application/problem+json": {
              schema: this.#schemas.of(problemSchema),
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
    return sorted(this.#responses)
  }

  /** The examples of those responses, by name. */
  get examples(): Json {
    return sorted(this.#examples)
  }

  #nameExample(code: ProblemCode, route: MountedRoute): string {
    const value = this.#example(code, route).toJSON(exampleRequestId)
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

function sorted(kept: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...kept].sort(([a], [b]) => a < b ? -1 : 1))
}
