import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources"
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace"
import { performance } from "node:perf_hooks"
import { type Exchange, isProbe } from "../../../core/capability.ts"

interface TracingOptions {
  /** The name of the service. */
  readonly service: string
  /** The ratio of recorded traces among those that begin here. Callers decide about their own. */
  readonly ratio: number
}

type TraceContext = Exchange["asked"]["trace"]

/**
 * Makes OpenTelemetry spans: one per request, and below it one for each stretch of authorization,
 * database, projection and encoding. They are made of the request's stopwatch once it has been
 * answered. The exporter reads its usual variables.
 */
export class Tracing {
  readonly #ids = new GivenIds()
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor({ service, ratio }: TracingOptions) {
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      resource: defaultResource().merge(resourceFromAttributes({ "service.name": service })),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    })
    this.#tracer = this.#provider.getTracer("event-export")
  }

  /** Makes the spans of an answered request. Probes are not worth a span. */
  record(exchange: Exchange): void {
    if (isProbe(exchange)) return
    const { asked: { trace: context, watch }, sent } = exchange
    const started = performance.timeOrigin + watch.started
    const span = this.#ids.give(context, () =>
      this.#tracer.startSpan(
        nameOf(exchange),
        { kind: SpanKind.SERVER, startTime: started, attributes: attributesOf(exchange) },
        callerOf(context),
      ))
    const within = trace.setSpan(ROOT_CONTEXT, span)
    for (const { phase, node, from, to } of span.isRecording() ? watch.laps ?? [] : []) {
      const name = phase === "db" ? "database" : phase
      const attributes = phase === "db" && node ? addressOf(node) : {}
      this.#tracer
        .startSpan(name, { startTime: performance.timeOrigin + from, attributes }, within)
        .end(performance.timeOrigin + to)
    }
    if (sent.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(started + watch.stop())
  }

  /** Sends the remaining spans. */
  async close(): Promise<void> {
    await this.#provider.shutdown()
  }
}

/** Gives the request's span the ids that its response and its log line have. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #given: TraceContext | undefined

  /** `start` must start one span, synchronously. */
  give<T>(context: TraceContext, start: () => T): T {
    this.#given = context
    try {
      return start()
    } finally {
      this.#given = undefined
    }
  }

  generateTraceId(): string {
    return this.#given?.traceId ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.#given?.spanId ?? this.#random.generateSpanId()
  }
}

function callerOf({ traceId, parentId, flags }: TraceContext): Context {
  if (parentId === undefined) return ROOT_CONTEXT
  const traceFlags = parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags,
    isRemote: true,
  })
}

function nameOf({ asked: { method, match } }: Exchange): string {
  const route = match?.route.pattern.text
  return [methodOf(method), ...route === undefined ? [] : [route]].join(" ")
}

/** Contains nothing of the path but the id of an event: anyone may type anything. */
function attributesOf({ asked, sent: { status, problem } }: Exchange): Attributes {
  const { method, match, input } = asked
  const route = match?.route.pattern.text
  const event = input?.query && input.eventId?.value
  const code = problem?.code
  return {
    "http.request.method": methodOf(method),
    "http.response.status_code": status,
    ...route === undefined ? {} : {
      "http.route": route,
      "url.path": event === undefined ? route : route.replace(":eventId", event),
    },
    ...status < 500 || code === undefined ? {} : { "error.type": code },
  }
}

/** Returns the database server that was waited for, by its host and port. */
function addressOf(node: string): Attributes {
  const colon = node.lastIndexOf(":")
  return {
    "server.address": node.slice(0, colon).replace(/^\[|\]$/g, ""),
    "server.port": Number(node.slice(colon + 1)),
  }
}

function methodOf(method: string): string {
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method)
    ? method
    : "_OTHER"
}
