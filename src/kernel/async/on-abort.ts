// Listens to an abort signal that outlives its listeners: one platform listener per signal, with a set of functions behind it.

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Runs `listener` when the signal is aborted, or at once if it is aborted already. Returns a function that removes the listener.
 *
 * `addEventListener` keeps its listeners in a linked list, and a removed listener keeps its link to the next. On a signal that
 * lives as long as the process, these links form a chain through all earlier requests. Once one listener is in the old
 * generation, the garbage collector treats all later ones as reachable and moves them, with everything they hold, to the old
 * generation too, where only a full collection frees them.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => undefined
  }
  const listeners = listenersOf.get(signal) ?? listenTo(signal)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>()
  listenersOf.set(signal, listeners)
  signal.addEventListener('abort', () => runAll(listeners), { once: true })
  return listeners
}

function runAll(listeners: Set<() => void>): void {
  for (const listener of listeners) listener()
  listeners.clear()
}
