// GraphQL-like queries (`w:mex`): those about restrictions of the account.
import type { ConnectedClient } from '../network/client.ts'
import { restrictionOf } from '../network/fault-state.ts'
import { child, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

const REACHOUT_TIMELOCK = '23983697327930364'
const MESSAGE_CAPPING = '24503548349331633'

export function answerMex({ state, account }: ConnectedClient, node: Stanza): Answer {
  const restriction = restrictionOf(state.faults, account.number)
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
