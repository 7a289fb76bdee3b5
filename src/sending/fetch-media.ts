// Files of sends that a person approves: fetched through the outbound client while the request waits.
import { createReadStream } from 'node:fs'
import { GatewayError } from '../errors.ts'
import { entryName } from '../kernel/async/entry-name.ts'
import { createFairSemaphore } from '../kernel/async/fair-semaphore.ts'
import { ignoreErrors } from '../kernel/async/ignore-errors.ts'
import type { Outbound } from '../kernel/outbound/client.ts'
import { OutboundError } from '../kernel/outbound/failure.ts'
import type { FetchMedia } from './held-content.ts'

/** Requests that fetch a file at a time, each up to the size limit of its kind. */
const FETCHES = { size: 16, perKey: 4 }
/** Also for the wait before. Clients give up after a minute. */
const LIMIT_MS = 30_000

export function createFetchMedia(
  { download }: Pick<Outbound, 'download'>,
  limitMs: number = LIMIT_MS,
): FetchMedia {
  const takeTurn = createFairSemaphore(FETCHES)
  return async (wanted) => {
    const late = AbortSignal.timeout(limitMs)
    let endTurn = () => undefined as void
    try {
      endTurn = await takeTurn(entryName('account', wanted.accountId), late)
      const file = await download({ ...wanted, signal: late })
      if ('failed' in file) {
        endTurn()
        return { failed: file.message }
      }
      const { path, sizeBytes, mimetype } = file
      const bytes = ignoreErrors(createReadStream(path))
      const release = async () => {
        bytes.destroy()
        endTurn()
        await file.release()
      }
      return { bytes, sizeBytes, mimetype, release }
    } catch (error) {
      endTurn()
      if (late.aborted)
        return { failed: `The file could not be fetched within ${Math.ceil(limitMs / 1000)} s.` }
      throw error instanceof OutboundError ? new GatewayError('unavailable', {}, { cause: error }) : error
    }
  }
}
