import { loadAllCapabilities } from "../../core/config/capabilities.ts"
import { kernelStorage } from "../../core/data/kernel-storage.ts"
import type { Storage, Storages } from "../../core/data/storage.ts"
import type { Capability } from "../../core/kernel/capability.ts"

/** The storages of all capabilities that are installed. */
export const capabilityStorages: readonly Storage[] = (await loadAllCapabilities<Capability>())
  .flatMap(({ storage }) => storage ?? [])

/** The storages of the default configuration, all on. */
export const allStorages: Storages = storagesWithout([])

/** Returns all storages, with those of some capabilities off. */
export function storagesWithout(off: readonly string[]): Storages {
  const isOff = ({ name }: Storage) => off.includes(name)
  return {
    on: [kernelStorage, ...capabilityStorages.filter((each) => !isOff(each))],
    off: capabilityStorages.filter(isOff),
  }
}
