// The number of an instance, as clients ask for it when they are set up. An instance is its own business account, with the same id.
import { z } from 'zod'
import type { AnswerOf } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import { type CloudContext, call, chosenFields, fieldsQuery, optionalText } from './call.ts'
import { CloudError } from './errors.ts'
import { describeFile, isFile } from './media.ts'

type State = AnswerOf<Routes['instanceState']>['instance']

const STATUSES: Readonly<Record<State['state'], string>> = {
  open: 'CONNECTED',
  connecting: 'PENDING',
  close: 'DISCONNECTED',
}

const readState = async ({ use, id }: Pick<CloudContext, 'use' | 'id'>): Promise<State> =>
  (await use('instanceState', { query: { instanceName: id } })).instance

/** Only what this gateway knows: it has no rating, no tier and no review of names. */
const shownNumber = (id: string, { number, profileName, displayName, state }: State) => ({
  id,
  name: displayName,
  display_phone_number: number === null ? '' : `+${number}`,
  verified_name: profileName ?? displayName,
  quality_rating: 'UNKNOWN',
  code_verification_status: number === null ? 'NOT_VERIFIED' : 'VERIFIED',
  status: STATUSES[state],
})

/** `GET /{id}`: a number, or a received file. */
export const readObject = call({
  admission: 'getMessage',
  query: z.object({ ...fieldsQuery.shape, phone_number_id: optionalText }),
  async handle(context, { query }) {
    if (isFile(context.id)) return describeFile(context)
    return chosenFields(shownNumber(context.id, await readState(context)), query.fields)
  },
})

const NO_PAGES = { cursors: { before: '', after: '' } }

export const listNumbers = call({
  admission: 'instanceState',
  keyInQuery: true,
  query: fieldsQuery,
  async handle(context, { query }) {
    const shown = shownNumber(context.id, await readState(context))
    return { data: [chosenFields(shown, query.fields)], paging: NO_PAGES }
  },
})

/** A number is linked by a code that its phone scans, not by a PIN. */
export const register = call({
  admission: 'instanceState',
  async handle(context) {
    const { number } = await readState(context)
    if (number === null)
      throw new CloudError(400, 133010, 'The instance is not linked. Connect it, and scan its code.')
    return { success: true }
  },
})

/** Says of the key of the request what can be said: it has no app and does not expire by itself. */
export const debugToken = call({
  admission: 'listInstances',
  query: z.object({ input_token: optionalText }),
  async handle({ caller, key }, { query }) {
    if (query.input_token && query.input_token !== key)
      throw new CloudError(400, 131009, 'input_token: expected the key of the request')
    return {
      data: {
        app_id: String(caller.account.id),
        type: 'SYSTEM_USER',
        is_valid: true,
        expires_at: 0,
        scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
      },
    }
  },
})
