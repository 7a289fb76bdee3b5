// Replaces the listeners of an event that are registered by now, in their order.
import type { EventEmitter } from 'node:events'

export type Listener = (...args: unknown[]) => unknown

export function replaceListeners(
  socket: EventEmitter,
  event: string,
  wrap: (listener: Listener) => Listener,
): void {
  const listeners = socket.listeners(event) as Listener[]
  socket.removeAllListeners(event)
  for (const listener of listeners) socket.on(event, wrap(listener))
}
