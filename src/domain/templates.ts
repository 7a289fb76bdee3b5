// Templates of messages, which clients of the Cloud API dialect store and send by name (decision 0146).
import { GatewayError } from '../errors.ts'
import { limitReached } from '../rules/quota.ts'
import * as rows from '../store/queries/cloud-templates.ts'
import { lockAccount } from '../store/queries/locks.ts'
import { isStoreError } from '../store/store-error.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'

const MAX_TEMPLATES = 250

export interface Template {
  id: number
  name: string
  language: string
  category: string
  components: unknown
}

type TemplateDeps = Pick<Deps, 'store' | 'clock'>

/** `exists`: the account has a template of this name in this language. */
export async function createTemplate(
  { store, clock }: TemplateDeps,
  caller: Caller,
  template: Omit<Template, 'id'>,
): Promise<Template | 'exists'> {
  const { name, language, category, components } = template
  const accountId = caller.account.id
  try {
    return await store.transaction(async (tx) => {
      if (!(await lockAccount(tx, accountId))) throw new GatewayError('unauthorized')
      const count = await rows.countTemplates(tx, accountId)
      if (count >= MAX_TEMPLATES) throw limitReached('templates', MAX_TEMPLATES, count)
      const now = clock()
      return toTemplate(
        await rows.insertTemplate(tx, {
          account_id: accountId,
          name,
          language,
          category,
          components: JSON.stringify(components),
          created_at: now,
          updated_at: now,
        }),
      )
    })
  } catch (error) {
    if (isStoreError(error, 'unique')) return 'exists'
    throw error
  }
}

export const listTemplates = async (
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  name: string | undefined,
): Promise<Template[]> => (await rows.listTemplates(store.db, caller.account.id, name)).map(toTemplate)

/** Undefined: the account has no such template in this language. */
export async function findTemplate(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  named: Pick<Template, 'name' | 'language'>,
): Promise<Template | undefined> {
  const row = await rows.findTemplate(store.db, caller.account.id, named)
  return row && toTemplate(row)
}

/** In all languages, or the one with this id. False: there is none. */
export const deleteTemplates = async (
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  named: { name: string; id: number | undefined },
): Promise<boolean> => (await rows.deleteTemplates(store.db, caller.account.id, named)) > 0

const toTemplate = ({ id, name, language, category, components }: rows.TemplateRow): Template => ({
  id,
  name,
  language,
  category,
  components: JSON.parse(components) as unknown,
})
