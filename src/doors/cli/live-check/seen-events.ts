// Events of the instance of a live check, oldest first.
import type { EventData, EventName } from '../../../contract/events.ts'
import { instanceOf, type Trial } from './trial.ts'

interface SeenEvent<N extends EventName> {
  id: string
  data: EventData<N>
}

export async function eventsNamed<N extends EventName>(trial: Trial, name: N): Promise<SeenEvent<N>[]> {
  const found: SeenEvent<N>[] = []
  let after: string | undefined
  for (;;) {
    const query = {
      instanceName: instanceOf(trial),
      events: name,
      limit: '500',
      ...(after === undefined ? {} : { after }),
    }
    const page = await trial.account.listEvents({ query }, { signal: trial.signal })
    for (const { id, event, data } of page.events)
      if (event === name) found.push({ id, data: data as EventData<N> })
    // A page may be empty although more events follow: only those with this name are in it.
    if (!page.hasMore || page.next === null) return found
    after = page.next
  }
}
