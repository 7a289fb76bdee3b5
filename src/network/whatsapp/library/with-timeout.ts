// Time limits for calls of the library. Its own limits are off: each captures a stack, which is a third of the cost of a send.
import { NetworkError } from '../../network.ts'
import { toNetworkError } from '../sending/refusals.ts'

/** With `stop`, the wait also ends when the process stops. The library's own work cannot be aborted and goes on. */
export async function withTimeout<T>(
  work: Promise<T>,
  limitMs: number,
  what: string,
  stop?: AbortSignal,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new NetworkError('timeout', `${what} was not answered in time`)),
    limitMs,
  )
  const onStop = () => late.reject(new NetworkError('unavailable', `${what} was interrupted by the stop`))
  if (stop?.aborted) onStop()
  stop?.addEventListener('abort', onStop, { once: true })
  try {
    return await Promise.race([work, late.promise])
  } catch (error) {
    throw toNetworkError(error)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', onStop)
  }
}
