// Files on their way to clients: how many at a time, and for how long a client may not read.
import type { ServerResponse } from 'node:http'
import { GatewayError } from '../../errors.ts'
import { type EntryName, entryName } from '../async/entry-name.ts'

/** A file that is read from its place holds a few megabytes at a time. */
const STREAMED = { perAccount: 8, total: 64 }
/** A file that was downloaded from the network for this answer is in memory as a whole: up to 100 MB. */
const IN_MEMORY = { perAccount: 2, total: 4 }
/** Other downloads may take minutes. */
const RETRY_SECONDS = 5
/** A client must take a chunk of a file, which has 1 MB at most, within this time. */
export const STALL_MS = 60_000

export interface Transfer {
  /** Throws if too many files are held in memory. */
  holdInMemory(): void
  /** May be called again. */
  end(): void
}

export interface Transfers {
  /** Throws if too many files are being sent. */
  begin(accountId: number): Transfer
  count(): number
}

export function createTransfers(): Transfers {
  const streamed = createSlots(STREAMED)
  const inMemory = createSlots(IN_MEMORY)
  return {
    begin(accountId) {
      const owner = entryName('account', accountId)
      const releases = [streamed.take(owner)]
      return {
        holdInMemory: () => void releases.push(inMemory.take(owner)),
        end: () => {
          for (const release of releases.splice(0)) release()
        },
      }
    },
    count: streamed.count,
  }
}

interface Slots {
  /** Returns a function that frees the slot. */
  take(owner: EntryName<'account'>): () => void
  count(): number
}

function createSlots(limits: { perAccount: number; total: number }): Slots {
  const taken = new Map<EntryName, number>()
  let total = 0
  return {
    take(owner) {
      const own = taken.get(owner) ?? 0
      const options = { retryAfterSeconds: RETRY_SECONDS }
      if (own >= limits.perAccount) throw new GatewayError('too_many_downloads', {}, options)
      if (total >= limits.total) throw new GatewayError('unavailable', {}, options)
      taken.set(owner, own + 1)
      total += 1
      return () => {
        const left = (taken.get(owner) ?? 1) - 1
        if (left === 0) taken.delete(owner)
        else taken.set(owner, left)
        total -= 1
      }
    },
    count: () => total,
  }
}

/** Closes the connection of a client that does not take the next chunk in time, and of one that never takes the last. */
export async function* cutIfStalled(
  chunks: AsyncIterable<Uint8Array>,
  response: ServerResponse,
  stallMs: number,
): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(() => response.destroy(), stallMs).unref()
  response.once('close', () => clearTimeout(timer))
  for await (const chunk of chunks) {
    timer.refresh()
    yield chunk
  }
}
