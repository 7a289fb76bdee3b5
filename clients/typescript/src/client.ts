// Puts the client together: one method per call, iterators over pages, and the event log.
import { call, type Input } from './call.ts'
import { type FollowInput, follow } from './events.ts'
import { type Iterators, OPERATIONS, type Operations } from './generated/operations.ts'
import type { Event } from './generated/types.ts'
import type { CallOptions, ClientSettings, OperationRow } from './settings.ts'

export interface SwitchboardClient extends Operations, Iterators {
  /** Follows the event log until the signal is aborted, through restarts of the gateway. */
  events(input?: FollowInput, options?: CallOptions): AsyncGenerator<Event>
}

export function createClient(settings: ClientSettings): SwitchboardClient {
  const rows = Object.entries<OperationRow>(OPERATIONS)
  const methods = rows.map(([id, row]) => [
    id,
    (input: Input = {}, options: CallOptions = {}) => call(settings, row, input, options),
  ])
  const iterators = rows
    .filter(([, { pageOf }]) => pageOf !== undefined)
    .map(([id, row]) => [
      id.replace(/list|List/, (found) => (found === 'list' ? 'iterate' : 'Iterate')),
      (input: Input = {}, options: CallOptions = {}) => pages(settings, row, input, options),
    ])
  const calls = Object.fromEntries(methods) as unknown as Operations
  return {
    ...calls,
    ...(Object.fromEntries(iterators) as unknown as Iterators),
    events: (input = {}, options = {}) => follow(calls, settings, input, options),
  }
}

async function* pages(
  settings: ClientSettings,
  row: OperationRow,
  input: Input,
  options: CallOptions,
): AsyncGenerator {
  for (let page = Number(input.page ?? 1); ; page += 1) {
    const answer = (await call(settings, row, { ...input, page }, options)) as Record<string, unknown>
    yield* answer[row.pageOf ?? ''] as unknown[]
    if (answer.hasMore !== true) return
  }
}
