import cluster, { type Worker } from "node:cluster"

/** A way to another process of this program. Objects arrive as they were sent, in that order. */
export interface Channel {
  /** Resolves once it is on its way, or once the other process is known to be gone. */
  send(message: object): Promise<void>
  onMessage(callback: (message: unknown) => void): void
}

/** A process that was forked, as the one that forked it sees it. */
export interface Fork extends Channel {
  readonly pid: number
  /** Calls back once, with how it ended: `exit code 1`, or `SIGKILL`. */
  onExit(callback: (how: string) => void): void
  kill(): void
}

/** Processes of the same program that listen on the same port, and share nothing else. */
export interface Cluster {
  /** The way to the process that forked this one; undefined in that process itself. */
  readonly primary: Channel | undefined
  /** Starts the same command once more. The new process ends when this one does, however it ends. */
  fork(): Fork
}

/** The cluster of Node.js. */
export const nodeCluster: Cluster = {
  primary: cluster.worker && channelOf(cluster.worker),
  fork() {
    const worker = cluster.fork()
    return {
      ...channelOf(worker),
      pid: worker.process.pid ?? 0,
      onExit: (callback) => {
        worker.once("exit", (code, signal) => callback(signal || `exit code ${code}`))
      },
      kill: () => worker.process.kill("SIGKILL"),
    }
  },
}

function channelOf(worker: Worker): Channel {
  worker.on("error", () => {})
  return {
    send: (message) => new Promise((resolve) => worker.send(message, () => resolve())),
    onMessage: (callback) => worker.on("message", callback),
  }
}
