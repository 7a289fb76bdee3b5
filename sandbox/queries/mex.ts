// GraphQL-like queries (`w:mex`): those about restrictions of the account and its about text.
import { z } from 'zod'
import type { ConnectedClient } from '../network/client.ts'
import { restrictionOf } from '../network/fault-state.ts'
import { setAbout } from '../network/profile.ts'
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

const REACHOUT_TIMELOCK = '23983697327930364'
const MESSAGE_CAPPING = '24503548349331633'
const MAX_ABOUT = 1000

/** Changes the about text. */
const UPDATE_TEXT_STATUS = '9152604461510864'

export async function answerMex(client: ConnectedClient, node: Stanza): Promise<Answer> {
  const { state, account } = client
  const query = child(node, 'query')
  const id = query?.attrs['query_id'] ?? ''
  if (id === UPDATE_TEXT_STATUS) return updateAbout(client, bytesOf(query).toString())
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
  const data = answers[id]
  if (!data) throw new QueryError(501, 'feature-not-implemented')
  return result(data)
}

async function updateAbout({ state, account, device }: ConnectedClient, json: string): Promise<Answer> {
  const parsed = TextStatus.safeParse(parseJson(json))
  if (!parsed.success) throw new QueryError(400, 'bad-request')
  await setAbout(state, { account, device: device.id }, parsed.data.variables.input.text ?? '')
  return result({ xwa2_update_text_status: { result: true } })
}

/** Emoji and duration are ignored: the sandbox's phones do not show them. */
const TextStatus = z.object({
  variables: z.object({ input: z.object({ text: z.string().max(MAX_ABOUT).nullish() }) }),
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const result = (data: unknown): Answer => [stanza('result', {}, Buffer.from(JSON.stringify({ data })))]
