/** Counts the listeners of abort signals, which live as long as what they may end. */
export class Listeners {
  /** How many each signal has that some code still knows. */
  #counts = new Map<WeakRef<AbortSignal>, () => number>()

  /** The most listeners that one signal has. */
  get most(): number {
    let most = 0
    for (const [signal, count] of this.#counts) {
      if (signal.deref()?.aborted === false) most = Math.max(most, count())
      else this.#counts.delete(signal)
    }
    return most
  }

  install(): void {
    const known = new WeakMap<AbortSignal, Map<unknown, boolean>>()
    const note = (signal: AbortSignal) => {
      const found = known.get(signal)
      if (found) return found
      const own = new Map<unknown, boolean>()
      known.set(signal, own)
      const weak = new WeakRef(own)
      this.#counts.set(new WeakRef(signal), () => weak.deref()?.size ?? 0)
      return own
    }
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
    EventTarget.prototype.addEventListener = function (this: EventTarget, type, listener, options) {
      if (this instanceof AbortSignal && type === "abort") note(this).set(listener, true)
      return add.call(this, type, listener, options)
    }
    EventTarget.prototype.removeEventListener = function (
      this: EventTarget,
      type,
      listener,
      options,
    ) {
      if (this instanceof AbortSignal && type === "abort") known.get(this)?.delete(listener)
      return remove.call(this, type, listener, options)
    }
  }
}
