// Waits for work until a signal is aborted.
import { onAbort } from './on-abort.ts'

/** Settles as the work does, or rejects with the error when the signal is aborted first. The work itself goes on: others may wait for it. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  abortError: () => unknown = () => signal?.reason,
): Promise<T> {
  if (!signal) return work
  const aborted = Promise.withResolvers<never>()
  const forget = onAbort(signal, () => aborted.reject(abortError()))
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    forget()
  }
}
