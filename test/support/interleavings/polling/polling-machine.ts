import type { Actor, Machine } from "../machine.ts"
import type { Design, Part } from "./design.ts"
import {
  afterAnswer,
  contentsOf,
  differenceOf,
  isPolling,
  newReader,
  nextQuery,
  type ReaderKind,
  type ReaderState,
  startAgain,
} from "./reader.ts"
import { answer, type Moments, watermarkOf } from "./service.ts"
import { type Operation, Tables } from "./tables.ts"
import { tellPolling } from "./tell.ts"

/** A step of a writer; `at once` is a transaction of its own. Or all readers start again. */
export type WriterStep =
  | { readonly do: "begin" | "commit" | "roll back" | "start again" }
  | {
    readonly do: "change"
    readonly operation: Operation
    readonly id: number
    readonly atOnce?: true
  }

/** What is merged: writers, and a walk of so many requests. */
export interface Scenario {
  readonly writers: readonly (readonly WriterStep[])[]
  readonly requests: number
  /** True if a request takes a step for each of its parts, so that writers come in between. */
  readonly inParts?: boolean
  /** Seconds from each step to the next, over and over. */
  readonly ticks: readonly number[]
  /** The stamps of the records, before the first poll at 2. */
  readonly records: readonly (number | undefined)[]
  /** What has changed since then, before the first step. */
  readonly meanwhile: readonly (readonly [operation: Operation, id: number, at: number])[]
  /** The clock at the first step. */
  readonly now: number
  readonly readers: readonly ReaderKind[]
}

/** The state of the database, the service and all readers. */
export interface PollingState {
  readonly clock: number
  /** The number of steps so far. */
  readonly steps: number
  readonly tables: Tables
  /** The clock when each writer's transaction began. */
  readonly begun: readonly number[]
  /** What the current request has read. */
  readonly moments: Moments
  /** The watermark of the previous request. */
  readonly watermark: number
  readonly readers: readonly ReaderState[]
}

/** Merges writers of a database with readers of a service of some design. */
export class PollingMachine implements Machine<PollingState> {
  readonly design: Design
  readonly scenario: Scenario
  readonly actors: readonly Actor[]
  readonly start: PollingState
  readonly #stepsPerRequest: number
  readonly #numbers = new WeakMap<Tables | ReaderState, number>()
  readonly #numbered = new Map<string, number>()

  constructor(design: Design, scenario: Scenario) {
    this.design = design
    this.scenario = scenario
    const { writers, requests, records, meanwhile, now, readers } = scenario
    this.#stepsPerRequest = scenario.inParts ? design.parts.length : 1
    this.actors = [
      ...writers.map((steps, writer) => ({
        name: steps.some((step) => step.do === "start again")
          ? "readers"
          : `writer ${String.fromCharCode(65 + writer)}`,
        steps: steps.length,
      })),
      { name: "walk", steps: requests * this.#stepsPerRequest },
    ]
    let tables = new Tables(
      records.map((updated, id) => updated === undefined ? undefined : { id, updated, value: 0 }),
    )
    const moments = { clock: 2, look: tables, page: tables }
    const watermark = watermarkOf(design, moments)
    const ready = readers.map((kind) => this.#poll(newReader, kind, moments, watermark))
    for (const [operation, id, at] of meanwhile) {
      tables = tables.change(0, operation, id, at).commit(0)
    }
    const idle = { clock: now, steps: 0, tables, begun: [], moments }
    this.start = { ...idle, watermark, readers: ready }
  }

  next(state: PollingState, actor: number, step: number): PollingState {
    const { ticks, writers } = this.scenario
    const clock = state.clock + (ticks[state.steps % ticks.length] as number)
    const steps = state.steps + 1
    const program = writers[actor]
    if (program) {
      return this.#write({ ...state, clock, steps }, actor, program[step] as WriterStep)
    }
    return this.#request({ ...state, clock, steps }, step % this.#stepsPerRequest)
  }

  keyOf(
    { clock, steps: _, tables, begun, moments, watermark, readers, ...rest }: PollingState,
  ): string {
    rest satisfies Record<string, never>
    const { stamps, early } = this.design
    // Another request reads all of it anew, unless it is in the middle.
    const { clock: at, look, page } = moments
    const read = this.scenario.inParts ? [at, this.#numberOf(look), this.#numberOf(page)] : []
    return [
      clock,
      this.#numberOf(tables),
      stamps === "at the beginning" ? begun : "",
      read,
      early ? watermark : "",
      readers.map((reader) => this.#numberOf(reader)),
    ].join(";")
  }

  /** Numbers tables and readers by their contents. */
  #numberOf(part: Tables | ReaderState): number {
    const known = this.#numbers.get(part)
    if (known !== undefined) return known
    const contents = part instanceof Tables ? part.contents : contentsOf(part)
    const number = this.#numbered.get(contents) ?? this.#numbered.size
    this.#numbered.set(contents, number)
    this.#numbers.set(part, number)
    return number
  }

  problemOf(state: PollingState): string | undefined {
    for (let reader = 0; reader < state.readers.length; reader++) {
      const problem = differenceOf(this.finish(state, reader), state.tables.records)
      if (problem) return problem
    }
    return undefined
  }

  /** Returns a reader's state after the end of its poll and one more, which see everything. */
  finish(
    { clock, tables, readers, watermark: previous }: PollingState,
    reader: number,
  ): ReaderState {
    const kind = this.scenario.readers[reader] as ReaderKind
    const state = readers[reader] as ReaderState
    const moments = { clock: clock + 1, look: tables, page: tables }
    const watermark = this.design.early ? previous : watermarkOf(this.design, moments)
    const finished = isPolling(state) ? this.#poll(state, kind, moments, watermark) : state
    // Hidden records become visible in the end.
    return this.#poll(finished, kind, { ...moments, clock: clock + 100 }, watermark)
  }

  /** Returns the first reader whose copy is wrong in the end. */
  losingReader(state: PollingState): number {
    const wrong = state.readers.findIndex((_, reader) =>
      differenceOf(this.finish(state, reader), state.tables.records) !== undefined
    )
    return Math.max(0, wrong)
  }

  readonly tell = (history: Parameters<Machine<PollingState>["tell"]>[0]) =>
    tellPolling(this, history)

  #write(state: PollingState, writer: number, step: WriterStep): PollingState {
    const { clock, tables } = state
    if (step.do === "change") {
      const stamp = this.#stamp(state, writer)
      const changed = tables.change(writer, step.operation, step.id, clock, stamp)
      return { ...state, tables: step.atOnce ? changed.commit(writer) : changed }
    }
    if (step.do === "start again") return { ...state, readers: state.readers.map(startAgain) }
    if (step.do === "begin") return { ...state, begun: withEntry(state.begun, writer, clock) }
    return {
      ...state,
      tables: step.do === "commit" ? tables.commit(writer) : tables.rollBack(writer),
    }
  }

  #stamp({ clock, begun }: PollingState, writer: number): number {
    const { stamps } = this.design
    if (stamps === "with the row") return clock
    return stamps === "a second before the row" ? clock - 1 : begun[writer] ?? clock
  }

  /** Takes one part of a request, or all at once. The last part answers it, to every reader. */
  #request(state: PollingState, part: number): PollingState {
    const { clock, tables } = state
    const { inParts, readers: kinds } = this.scenario
    const { parts, early } = this.design
    const moments = inParts
      ? after(state.moments, parts[part] as Part, state)
      : { clock, look: tables, page: tables }
    if (inParts && part < parts.length - 1) return { ...state, moments }
    const own = watermarkOf(this.design, moments)
    const watermark = early ? state.watermark : own
    const readers = state.readers.map((reader, index) =>
      this.#read(reader, kinds[index] as ReaderKind, moments, watermark)
    )
    return { ...state, moments, watermark: own, readers }
  }

  #read(state: ReaderState, kind: ReaderKind, moments: Moments, watermark: number): ReaderState {
    const got = answer(this.design, moments, watermark, nextQuery(kind, state))
    return afterAnswer(this.design, kind, state, got)
  }

  /** Reads until a poll is finished. */
  #poll(state: ReaderState, kind: ReaderKind, moments: Moments, watermark: number): ReaderState {
    let reader = state
    do reader = this.#read(reader, kind, moments, watermark)
    while (isPolling(reader))
    return reader
  }
}

function after(moments: Moments, part: Part, { clock, tables }: PollingState): Moments {
  if (part === "clock") return { ...moments, clock }
  return part === "look" ? { ...moments, look: tables } : { ...moments, page: tables }
}

function withEntry(entries: readonly number[], index: number, entry: number): readonly number[] {
  const changed = [...entries]
  changed[index] = entry
  return changed
}
