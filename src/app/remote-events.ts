// Events of all nodes.
import { createEventSignal } from '../store/engines/event-signal.ts'
import type { Store } from '../store/store.ts'

/** Readers of events hear of those that other nodes append too. */
export function withRemoteEvents({ db, onEvents }: Store) {
  const { notify, subscribe } = createEventSignal()
  const events: Pick<Store, 'db' | 'onEvents'> = {
    db,
    onEvents(listener) {
      const ends = [onEvents(listener), subscribe(listener)]
      return () => ends.forEach((end) => end())
    },
  }
  return { events, notify }
}
