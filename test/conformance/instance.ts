import { settleCapabilities } from "../../core/kernel/capabilities.ts"
import { type Instance, type InstanceOptions, openInstance } from "../../core/kernel/instance.ts"
import { openStore, type StoreOptions } from "../../core/kernel/store.ts"
import type { Plan } from "../../core/routes/plan.ts"

/**
 * Starts a plan by itself, without a process around it: opens its database, which is closed with it.
 *
 * @throws as `openStore` and `openInstance` do. Everything that was opened is closed again.
 */
export async function startInstance(
  config: Plan,
  options: InstanceOptions & StoreOptions,
): Promise<Instance> {
  const store = await openStore(config, options)
  try {
    const { log, draining = new AbortController().signal } = options
    const { instance, follow } = await settleCapabilities(
      { ...store, plan: config, log, draining },
      () => openInstance(config, store, options),
    )
    await follow(Promise.resolve())
    const close = () => instance.close().finally(store.close)
    return Object.freeze({ ...instance, close })
  } catch (error) {
    await store.close()
    throw error
  }
}
