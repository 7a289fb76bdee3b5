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

/** The library's errors carry an HTTP-like status; all that reach us here are about the connection. */
export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  const { message } = error as { message?: string }
  return new NetworkError('unavailable', message ?? 'the connection failed', error)
}
