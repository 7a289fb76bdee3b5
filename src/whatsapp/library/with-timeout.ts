// Time limits for calls of the library. Its own limits are off: each captures a stack, which is a third of the cost of a send.
import { unlessAborted, withTimeout as withGenericTimeout } from '../../kernel/async/waiting.ts'
import { NetworkError } from '../../network/network.ts'
import { toNetworkError } from '../sending/refusals.ts'

/** With `stop`, the wait also ends when the process stops. The library's own work cannot be aborted and goes on. */
export async function withTimeout<T>(
  work: Promise<T>,
  limitMs: number,
  what: string,
  stop?: AbortSignal,
): Promise<T> {
  const interrupted = () => new NetworkError('unavailable', `${what} was interrupted by the stop`)
  const late = () => new NetworkError('timeout', `${what} was not answered in time`)
  try {
    return await withGenericTimeout(stop ? unlessAborted(work, stop, interrupted) : work, limitMs, late)
  } catch (error) {
    throw toNetworkError(error)
  }
}
