import type { Capability } from "../../../core/capability.ts"
import { ServiceManager } from "./service-manager.ts"

/** Tells systemd what the service does. */
const systemd: Capability = {
  name: "systemd",
  summary: "Tells systemd when the service is ready, reloads and stops",
  start({ environment, service }) {
    const manager = new ServiceManager(environment, () => service.log)
    return {
      tell: (event) => manager.tell(event),
      serving: (url) => manager.serving(url, () => service.instance.config.hash),
    }
  },
}

export default systemd
