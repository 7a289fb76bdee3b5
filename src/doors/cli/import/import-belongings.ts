// What another program stores of a session beside its keys, checked as requests of the API are, and stored with the instance.
import { randomUUID } from 'node:crypto'
import type { KeyHolder } from '../../../accounts/caller.ts'
import { importContact } from '../../../contacts/contacts.ts'
import type { CheckUrl, Deps } from '../../../context.ts'
import { updateSettings } from '../../../contract/instance-settings.ts'
import { GatewayError } from '../../../errors.ts'
import type { InstanceRow } from '../../../instances/instance-queries.ts'
import { type SettingsChange, storeSettings } from '../../../instances/instance-settings.ts'
import { nameInstance } from '../../../instances/named-instances.ts'
import { phoneOf } from '../../../network/jid.ts'
import type { Db } from '../../../store/tables.ts'
import { insertWebhook, type WebhookFields } from '../../../webhooks/webhooks.ts'
import { proxyUrlOf, settingsOf } from '../../evolution/settings.ts'
import { evolutionWebhook } from '../../evolution/webhooks.ts'
import type { Belongings } from './session-source.ts'

/** Numbers by what they count. */
export type Counts = Record<string, number>

export interface CheckedBelongings {
  names: { name: string; token: string } | undefined
  settings: SettingsChange
  webhook: (Omit<WebhookFields, 'url'> & { url: string }) | undefined
  contacts: () => AsyncIterable<{ jid: string; name: string }>
  /** What is taken apart from the contacts, and what is not, with the reason. */
  taken: Counts
  left: Counts
}

/** The fields of a source, in the terms of this API. */
interface Translation {
  settings(given: Record<string, unknown>): SettingsChange
  webhook(given: Record<string, unknown>): Omit<WebhookFields, 'instanceName'>
}

const TRANSLATIONS: Record<string, Translation> = {
  evolution: { settings: settingsOf, webhook: evolutionWebhook },
  'baileys-api': {
    settings: ({ clientName, syncFullHistory }) => ({
      ...(typeof clientName === 'string' && clientName !== '' && { deviceName: clientName }),
      ...(typeof syncFullHistory === 'boolean' && { syncHistory: syncFullHistory ? 'full' : 'recent' }),
    }),
    // Its events have another form: the owner switches the webhook on once the receiver understands the new one.
    webhook: ({ url }) => ({ url: String(url), enabled: false }),
  },
}

const TOKEN = /^[\x21-\x7e]{16,256}$/
const NAME = /^\P{C}{1,100}$/u

export function checkBelongings(given: Belongings, from: string, checkUrl: CheckUrl): CheckedBelongings {
  const taken: Counts = {}
  const left: Counts = {}
  const attempt = <T>(what: string, check: () => T | undefined): T | undefined => {
    try {
      const checked = check()
      if (checked !== undefined) taken[what] = 1
      return checked
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      left[`${what}: ${reasonOf(error)}`] = 1
      return undefined
    }
  }
  const translation = TRANSLATIONS[from]
  const settings = attempt('settings', () => translation && checkedSettings(translation, given.settings))
  const proxy = attempt('proxy', () => checkedProxy(given.proxy, checkUrl))
  const webhook = attempt(
    'webhook',
    () => translation && checkedWebhook(translation, given.webhook, checkUrl),
  )
  return {
    names: namesOf(given, taken, left),
    settings: { ...settings, ...(proxy !== undefined && { proxy }) },
    webhook,
    contacts: () => soundContacts(given),
    taken,
    left,
  }
}

function namesOf({ name, token }: Belongings, taken: Counts, left: Counts): CheckedBelongings['names'] {
  if (name === undefined) return undefined
  if (!NAME.test(name)) {
    left['name: longer than 100 characters, or with unprintable ones'] = 1
    return undefined
  }
  taken.name = 1
  if (token !== undefined && TOKEN.test(token)) {
    taken.token = 1
    return { name, token }
  }
  if (token !== undefined) left['token: shorter than 16 characters'] = 1
  return { name, token: randomUUID() }
}

function checkedSettings(
  translation: Translation,
  given: Record<string, unknown> | undefined,
): SettingsChange | undefined {
  const change = given && translation.settings(given)
  if (!change || Object.keys(change).length === 0) return undefined
  const parsed = updateSettings.body.safeParse(change)
  if (parsed.success) return parsed.data
  throw new GatewayError('invalid_request', {}, { message: 'not in a form that this gateway accepts' })
}

function checkedProxy(given: Record<string, unknown> | undefined, checkUrl: CheckUrl): string | undefined {
  if (!given || !isOn(given.enabled) || typeof given.host !== 'string') return undefined
  const [host, port] = [given.host, String(given.port)]
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const { protocol, username, password } = given
  const url = proxyUrlOf({
    host,
    port,
    protocol: text(protocol),
    username: text(username),
    password: text(password),
  })
  const checked = checkUrl(url, 'proxy')
  if ('href' in checked) return checked.href
  throw new GatewayError('url_not_allowed', {}, { message: checked.refused })
}

function checkedWebhook(
  translation: Translation,
  given: Record<string, unknown> | undefined,
  checkUrl: CheckUrl,
): CheckedBelongings['webhook'] {
  if (!given || typeof given.url !== 'string' || given.url === '') return undefined
  const fields = translation.webhook(given)
  const checked = checkUrl(given.url, 'webhook')
  if ('href' in checked) return { ...fields, url: checked.href }
  throw new GatewayError('url_not_allowed', {}, { message: checked.refused })
}

/** Databases without booleans have 0 and 1. */
const isOn = (value: unknown): boolean => value === true || value === 1

const reasonOf = (error: GatewayError): string => {
  const [detail] = (error.extra.details ?? []) as { message: string }[]
  return detail?.message ?? error.message
}

const MAX_NAME = 256

/** People with a number and a name. Groups come from the network, and a name that is the number says nothing. */
async function* soundContacts({ contacts }: Belongings): AsyncIterable<{ jid: string; name: string }> {
  if (!contacts) return
  for await (const { jid, name } of contacts()) {
    const phone = phoneOf(jid)
    const plain = name.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
    if (phone === null || !/^\d{5,15}$/.test(phone) || plain === '' || plain.length > MAX_NAME) continue
    if (plain.replaceAll(/\D/g, '') !== phone) yield { jid, name: plain }
  }
}

export async function countContacts({ contacts }: CheckedBelongings): Promise<number> {
  let count = 0
  for await (const _contact of contacts()) count += 1
  return count
}

/** In the transaction that makes the instance. Counts into `taken` and `left`. */
export async function storeBelongings(
  deps: Pick<Deps, 'vault' | 'clock'>,
  tx: Db,
  instance: InstanceRow,
  { holder, checked, taken, left }: StoreRequest,
): Promise<void> {
  const { names, settings, webhook } = checked
  if (names && !(await nameInstance(tx, instance, names))) {
    delete taken.name
    delete taken.token
    left['name: another instance of this gateway has the name or the token'] = 1
  }
  if (Object.keys(settings).length > 0) await storeSettings(deps, tx, instance, settings)
  if (webhook) await insertWebhook(deps, tx, holder, { ...webhook, instanceId: instance.id })
  let [stored, refused] = [0, 0]
  for await (const contact of checked.contacts()) {
    const isStored =
      refused === 0 && (await importContact(deps, tx, holder, { instanceId: instance.id, ...contact }))
    if (isStored) stored += 1
    else refused += 1
  }
  if (stored > 0) taken.contacts = stored
  if (refused > 0) left['contacts: the plan of the account allows no more'] = refused
}

interface StoreRequest {
  holder: Pick<KeyHolder, 'account' | 'plan'>
  checked: CheckedBelongings
  taken: Counts
  left: Counts
}
