// Memory for large JSON bodies. What has arrived counts, not what a header announces, and each account has a share.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../errors.ts'
import { type EntryName, entryName } from '../async/entry-name.ts'
import { checkArriving } from './limit-upload.ts'

/** Every body may be this long. What goes beyond it counts. */
const FREE_BYTES = 256 * 1024
/** Four of the largest bodies, which have a file of 16 MB in base64; an account has half of that. */
const LIMITS = { perAccount: 46 * 1024 * 1024, total: 92 * 1024 * 1024 }
const RETRY_SECONDS = 5

interface ArrivingBody {
  /** Throws if there is no room for these bytes. */
  add(sizeBytes: number): void
  /** May be called again. */
  end(): void
}

export interface ArrivingBodies {
  begin(accountId: number): ArrivingBody
  heldBytes(): number
}

export function createArrivingBodies(): ArrivingBodies {
  const held = new Map<EntryName<'account'>, number>()
  let total = 0

  function change(owner: EntryName<'account'>, sizeBytes: number): void {
    total += sizeBytes
    const own = (held.get(owner) ?? 0) + sizeBytes
    if (own === 0) held.delete(owner)
    else held.set(owner, own)
  }
  return {
    begin(accountId) {
      const owner = entryName('account', accountId)
      let arrived = 0
      let counted = 0
      return {
        add(sizeBytes) {
          arrived += sizeBytes
          const more = Math.max(0, arrived - FREE_BYTES) - counted
          const options = { retryAfterSeconds: RETRY_SECONDS }
          if ((held.get(owner) ?? 0) + more > LIMITS.perAccount)
            throw new GatewayError('too_many_downloads', {}, options)
          if (total + more > LIMITS.total) throw new GatewayError('unavailable', {}, options)
          counted += more
          change(owner, more)
        },
        end() {
          change(owner, -counted)
          counted = 0
        },
      }
    },
    heldBytes: () => total,
  }
}

/** The body of a request, counted as it arrives and until its answer has been sent. */
export function countArriving(
  bodies: ArrivingBodies,
  { caller }: Pick<FastifyRequest, 'caller'>,
  reply: FastifyReply,
  payload: Readable,
): Readable {
  if (!caller) return payload
  const body = bodies.begin(caller.account.id)
  reply.raw.once('close', body.end)
  return checkArriving(payload, body.add)
}
