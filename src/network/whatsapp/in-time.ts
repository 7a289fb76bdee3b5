// Time limits around the library's calls. Its own are switched off: each would capture a stack, a third of a send's cost.
import { NetworkError } from '../network.ts'

export async function inTime<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new NetworkError('timeout', `${what} was not answered in time`)),
    limitMs,
  )
  try {
    return await Promise.race([work, late.promise])
  } catch (error) {
    throw toNetworkError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** The library's own errors are about the connection; anything else is a fault of ours and stays what it is. */
function toNetworkError(error: unknown): unknown {
  const { isBoom, message } = error as { isBoom?: boolean; message?: string }
  return isBoom ? new NetworkError('unavailable', message ?? 'the connection failed', error) : error
}
