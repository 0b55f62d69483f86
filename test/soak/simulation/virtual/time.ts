import { AsyncLocalStorage, AsyncResource } from "node:async_hooks"
import { createRequire, syncBuiltinESMExports } from "node:module"
import type { Background } from "./background.ts"

const require = createRequire(import.meta.url)

/** What a simulated process is to its timers: those of one that is dead never fire. */
export interface Owner {
  isDead: boolean
}

/** Whose code runs now; undefined outside of all simulated processes. */
export const owner = new AsyncLocalStorage<Owner>()

interface Task {
  readonly id: number
  /** On the steady clock, in milliseconds. */
  at: number
  readonly run: () => void
  /** The interval in milliseconds of one that runs again and again. */
  readonly every: number | undefined
  readonly owner: Owner | undefined
  /** False if the process may end without it. */
  hasRef: boolean
}

/** What `setTimeout` returns. */
interface Timer {
  ref(): Timer
  unref(): Timer
  hasRef(): boolean
  refresh(): Timer
  close(): Timer
  [Symbol.toPrimitive](): number
  [Symbol.dispose](): void
}

/** The wall clock at the beginning of each simulation, in Unix milliseconds. */
const epoch = 1_795_000_000_000

/**
 * The clocks and timers of this process, from `install` on: nothing waits, and time passes only from one timer to the
 * next, when nothing else can go on. The steady clock is that of `performance.now()`; the wall clock may be set.
 */
export class VirtualTime {
  readonly #background: Background
  readonly #turn: () => Promise<void>
  #steady = 0
  #wall = epoch
  /** When the wall clock was set, and to what beyond the steady clock. */
  #settings: { readonly at: number; readonly wall: number }[] = [{ at: 0, wall: epoch }]
  #ids = 0
  /** By time, then in the order in which they were set. */
  readonly #tasks: Task[] = []
  readonly #timers = new WeakMap<object, Task>()
  /** Processes that a call holds up, and who waits for its end. */
  readonly #blocked = new Map<Owner, PromiseWithResolvers<void>>()
  /** How often a process was held up since the simulation began. */
  blocks = 0
  #jump: { readonly milliseconds: number; resolve(): void } | undefined

  constructor(background: Background) {
    this.#background = background
    const { setImmediate } = globalThis
    this.#turn = () => new Promise((resolve) => void setImmediate(resolve))
  }

  /** Milliseconds since the simulation began. */
  get steady(): number {
    return this.#steady
  }

  /** The wall clock in Unix milliseconds. */
  get wall(): number {
    return this.#wall + this.#steady
  }

  /** Unix seconds. */
  get now(): number {
    return Math.floor(this.wall / 1000)
  }

  /** True while a process is held up. */
  get isBlocked(): boolean {
    return this.#blocked.size > 0
  }

  /** Returns the least and the most that the wall clock showed between two moments of the steady one, both included. */
  wallBetween(from: number, to: number): { readonly least: number; readonly most: number } {
    const shown: number[] = []
    let end = Infinity
    for (const { at, wall } of this.#settings.toReversed()) {
      if (at <= to && end >= from) shown.push(wall + Math.max(from, at), wall + Math.min(to, end))
      end = at
    }
    return { least: Math.min(...shown), most: Math.max(...shown) }
  }

  /** How many timers are set, of one owner or of all, that fire in so many milliseconds or later. */
  timers(of?: Owner, milliseconds = 0): number {
    const from = this.#steady + milliseconds
    return this.#tasks.filter(({ owner, at }) => (!of || owner === of) && at >= from).length
  }

  /** How many timers keep the process of an owner from ending. */
  timersInUse(of: Owner): number {
    return this.#tasks.filter(({ owner, hasRef }) => owner === of && hasRef).length
  }

  /** Begins anew: no timers, and the first moment. */
  reset(): void {
    this.#steady = 0
    this.#wall = epoch
    this.#settings = [{ at: 0, wall: epoch }]
    this.#ids = 0
    this.#tasks.length = 0
    this.#blocked.clear()
    this.blocks = 0
  }

  /** Lets no timer of a process fire until it is released: it waits for a call that does not return. */
  block(owner: Owner): void {
    if (this.#blocked.has(owner)) return
    this.#blocked.set(owner, Promise.withResolvers())
    this.blocks++
  }

  release(owner: Owner): void {
    const blocked = this.#blocked.get(owner)
    this.#blocked.delete(owner)
    blocked?.resolve()
  }

  /** Resolves when nothing holds up a process. */
  async whenReleased(owner: Owner): Promise<void> {
    for (let held = this.#blocked.get(owner); held; held = this.#blocked.get(owner)) {
      await held.promise
    }
  }

  /** Sets the wall clock forward or back. */
  step(milliseconds: number): void {
    this.#wall += milliseconds
    this.#settings.push({ at: this.#steady, wall: this.#wall })
  }

  /** Resolves when so much time has passed. Keeps no process from ending: who waits is the simulation, or a database. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void (this.#add(resolve, milliseconds).hasRef = false))
  }

  /** Forgets the timers of an owner that is dead. */
  forget(of: Owner): void {
    const left = this.#tasks.filter(({ owner }) => owner !== of)
    this.#tasks.splice(0, Infinity, ...left)
  }

  /** Lets time pass until `work` is settled. @throws as it does, or if it waits for nothing. */
  async play<T>(work: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = () => void (isSettled = true)
    work.then(settled, settled)
    for (await this.#quiet(); !isSettled; await this.#quiet()) {
      const jump = this.#jump
      this.#jump = undefined
      if (jump) {
        this.#steady += jump.milliseconds
        for (const task of this.#tasks) task.at = Math.max(task.at, this.#steady)
        jump.resolve()
      } else if (!this.#runNext()) {
        throw new Error("The simulation is stuck: nothing is left to wait for.")
      }
    }
    return await work
  }

  /**
   * Lets time jump, as when a machine sleeps: timers that are due meanwhile fire once, late, at its end. Only for times
   * in which nothing but the service's own work in the background goes on.
   */
  async jump(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => void (this.#jump = { milliseconds, resolve }))
    // What is due has its turn first.
    await this.sleep(1)
  }

  /** Waits until nothing runs but timers that are set. */
  async #quiet(): Promise<void> {
    do await this.#turn()
    while (this.#background.running > 0)
  }

  #runNext(): boolean {
    const index = this.#tasks.findIndex(({ owner }) => !owner || !this.#blocked.has(owner))
    const [task] = index < 0 ? [] : this.#tasks.splice(index, 1)
    if (!task) return false
    this.#steady = Math.max(this.#steady, task.at)
    if (task.every !== undefined) {
      task.at = this.#steady + Math.max(1, task.every)
      this.#insert(task)
    }
    if (!task.owner?.isDead) task.run()
    return true
  }

  #add(run: () => void, milliseconds: number, every?: number): Task {
    const late = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0
    const at = this.#steady + late
    const task = {
      id: ++this.#ids,
      at,
      run: AsyncResource.bind(run),
      every,
      owner: owner.getStore(),
      hasRef: true,
    }
    // Code of a dead process may still run until it waits for something.
    if (!task.owner?.isDead) this.#insert(task)
    return task
  }

  #insert(task: Task): void {
    let index = this.#tasks.length
    while (index > 0 && (this.#tasks[index - 1] as Task).at > task.at) index--
    this.#tasks.splice(index, 0, task)
  }

  #remove(task: Task): void {
    const index = this.#tasks.indexOf(task)
    if (index >= 0) this.#tasks.splice(index, 1)
  }

  /** Takes the place of the clocks and timers of this process, also of those that modules have imported. */
  install(): void {
    const timerOf = (task: Task, milliseconds: number): Timer => {
      const timer: Timer = {
        ref: () => (task.hasRef = true, timer),
        unref: () => (task.hasRef = false, timer),
        hasRef: () => task.hasRef,
        refresh: () => {
          this.#remove(task)
          task.at = this.#steady + milliseconds
          this.#insert(task)
          return timer
        },
        close: () => (this.#remove(task), timer),
        [Symbol.toPrimitive]: () => task.id,
        [Symbol.dispose]: () => this.#remove(task),
      }
      this.#timers.set(timer, task)
      return timer
    }
    const clear = (timer: unknown) => {
      const task = typeof timer === "object" && timer ? this.#timers.get(timer) : undefined
      if (task) this.#remove(task)
    }
    const later = (run: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) => {
      const late = Math.max(1, Number(milliseconds) || 1)
      return timerOf(this.#add(() => run(...values), late), late)
    }
    const soon = (run: (...values: unknown[]) => void, ...values: unknown[]) =>
      timerOf(this.#add(() => run(...values), 0), 0)
    const again = (run: (...values: unknown[]) => void, milliseconds = 1, ...values: unknown[]) => {
      const every = Math.max(1, Number(milliseconds) || 1)
      return timerOf(this.#add(() => run(...values), every, every), every)
    }
    interface WaitOptions {
      readonly signal?: AbortSignal
      readonly ref?: boolean
    }
    const wait = (milliseconds: number, value: unknown, { signal, ref = true }: WaitOptions) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortError(signal))
        const task = this.#add(() => {
          signal?.removeEventListener("abort", abort)
          resolve(value)
        }, milliseconds)
        task.hasRef = ref
        const abort = () => {
          this.#remove(task)
          reject(abortError(signal))
        }
        signal?.addEventListener("abort", abort, { once: true })
      })
    const names = {
      setTimeout: later,
      clearTimeout: clear,
      setImmediate: soon,
      clearImmediate: clear,
      setInterval: again,
      clearInterval: clear,
    }
    Object.assign(globalThis, names)
    Object.assign(require("node:timers"), names)
    Object.assign(require("node:timers/promises"), {
      setTimeout: (milliseconds = 1, value?: unknown, options: WaitOptions = {}) =>
        wait(Math.max(1, milliseconds), value, options),
      setImmediate: (value?: unknown, options: WaitOptions = {}) => wait(0, value, options),
    })
    AbortSignal.timeout = (milliseconds) => {
      const controller = new AbortController()
      const error = () =>
        new DOMException("The operation was aborted due to timeout", "TimeoutError")
      later(() => controller.abort(error()), milliseconds).unref()
      return controller.signal
    }
    performance.now = () => this.steady
    process.hrtime.bigint = () => BigInt(Math.round(this.steady * 1e6))
    const RealDate = Date
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, values, newTarget) =>
        Reflect.construct(target, values.length === 0 ? [this.wall] : values, newTarget),
      apply: () => new RealDate(this.wall).toString(),
      get: (target, name, receiver) =>
        name === "now" ? () => this.wall : Reflect.get(target, name, receiver),
    })
    syncBuiltinESMExports()
  }
}

function abortError(signal: AbortSignal | undefined): Error {
  return Object.assign(new Error("The operation was aborted", { cause: signal?.reason }), {
    name: "AbortError",
    code: "ABORT_ERR",
  })
}
