/** GraphQL-like queries (`w:mex`), of which the network knows those about an account's standing. */
import type { Client } from '../dispatch.ts'
import { restrictionOf } from '../fault-state.ts'
import { child, type Stanza, stanza } from '../stanza.ts'
import type { Answer } from './queries.ts'
import { QueryError } from './query-error.ts'

const REACHOUT_TIMELOCK = '23983697327930364'
const MESSAGE_CAPPING = '24503548349331633'

export function answerMex({ exchange, account }: Client, node: Stanza): Answer {
  const restriction = restrictionOf(exchange.faults, account.number)
  const answers: Record<string, unknown> = {
    [REACHOUT_TIMELOCK]: {
      xwa2_fetch_account_reachout_timelock: {
        is_active: restriction !== undefined,
        time_enforcement_ends: String(restriction?.until ?? 0),
        enforcement_type: 'DEFAULT',
      },
    },
    [MESSAGE_CAPPING]: { xwa2_message_capping_info: { capping_status: 'NONE' } },
  }
  const data = answers[child(node, 'query')?.attrs['query_id'] ?? '']
  if (!data) throw new QueryError(501, 'feature-not-implemented')
  return [stanza('result', {}, Buffer.from(JSON.stringify({ data })))]
}
