// Templates of messages, which clients of the Cloud API dialect store and send by name (decision 0146).

import type { Caller } from '../accounts/caller.ts'
import { limitReached } from '../accounts/rules.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import { isStoreError } from '../kernel/store-error.ts'
import { lockAccount } from '../store/locks.ts'
import * as rows from './template-queries.ts'

const MAX_TEMPLATES = 250

export interface Template {
  id: number
  name: string
  language: string
  category: string
  components: unknown
}

type TemplateDeps = Pick<Deps, 'store' | 'clock'>

/** The name is that of the template with which programs are tried out in the original. */
const FIRST_TEMPLATE: Omit<Template, 'id'> = {
  name: 'hello_world',
  language: 'en_US',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'It works' },
    {
      type: 'BODY',
      text: 'This test message was sent through your gateway. Your program and your linked number are set up.',
    },
    { type: 'FOOTER', text: 'You can delete this template' },
  ],
}

/** Before each use of templates. From then on the first one is like all others. */
async function ensureFirstTemplate(
  { store, clock }: TemplateDeps,
  { account }: Pick<Caller, 'account'>,
): Promise<void> {
  if (account.has_first_template === 1) return
  await store.transaction((tx) => rows.insertFirstTemplate(tx, newRow(account.id, FIRST_TEMPLATE, clock())))
}

const newRow = (
  accountId: number,
  { name, language, category, components }: Omit<Template, 'id'>,
  now: number,
) => ({
  account_id: accountId,
  name,
  language,
  category,
  components: JSON.stringify(components),
  created_at: now,
  updated_at: now,
})

/** `exists`: the account has a template of this name in this language. */
export async function createTemplate(
  deps: TemplateDeps,
  caller: Caller,
  template: Omit<Template, 'id'>,
): Promise<Template | 'exists'> {
  const { store, clock } = deps
  const accountId = caller.account.id
  await ensureFirstTemplate(deps, caller)
  try {
    return await store.transaction(async (tx) => {
      if (!(await lockAccount(tx, accountId))) throw new GatewayError('unauthorized')
      const count = await rows.countTemplates(tx, accountId)
      if (count >= MAX_TEMPLATES) throw limitReached('templates', MAX_TEMPLATES, count)
      return toTemplate(await rows.insertTemplate(tx, newRow(accountId, template, clock())))
    })
  } catch (error) {
    if (isStoreError(error, 'unique')) return 'exists'
    throw error
  }
}

export async function listTemplates(
  deps: TemplateDeps,
  caller: Caller,
  name: string | undefined,
): Promise<Template[]> {
  await ensureFirstTemplate(deps, caller)
  return (await rows.listTemplates(deps.store.db, caller.account.id, name)).map(toTemplate)
}

/** Undefined: the account has no such template in this language. */
export async function findTemplate(
  deps: TemplateDeps,
  caller: Caller,
  named: Pick<Template, 'name' | 'language'>,
): Promise<Template | undefined> {
  await ensureFirstTemplate(deps, caller)
  const row = await rows.findTemplate(deps.store.db, caller.account.id, named)
  return row && toTemplate(row)
}

/** In all languages, or the one with this id. False: there is none. */
export async function deleteTemplates(
  deps: TemplateDeps,
  caller: Caller,
  named: { name: string; id: number | undefined },
): Promise<boolean> {
  await ensureFirstTemplate(deps, caller)
  return (await rows.deleteTemplates(deps.store.db, caller.account.id, named)) > 0
}

const toTemplate = ({ id, name, language, category, components }: rows.TemplateRow): Template => ({
  id,
  name,
  language,
  category,
  components: JSON.parse(components) as unknown,
})
