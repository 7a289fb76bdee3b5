// Refreshes profile pictures in the background: at most one lookup per instance in each interval.
import type { Logger } from 'pino'
import type { Deps } from '../context.ts'
import { refreshDuePictures } from './pictures.ts'

const INTERVAL_MS = 15_000
const AT_ONCE = 4

export interface PictureWorkerDeps extends Pick<Deps, 'store' | 'vault' | 'clock' | 'sessions'> {
  logger: Logger
  /** This node, if several may use the database. */
  nodeId?: number | undefined
}

export function startPictureWorker(deps: PictureWorkerDeps): { stop(): Promise<void> } {
  let running: Promise<unknown> | undefined
  const pass = () => {
    running ??= refreshDuePictures(deps, AT_ONCE)
      .catch((err: unknown) =>
        deps.logger.warn({ err }, 'picture worker: could not refresh profile pictures; retrying'),
      )
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(pass, INTERVAL_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
