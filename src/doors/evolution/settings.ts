// Settings and proxy of an instance: the fields of the dialect, and those of this API.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { AnswerOf, CallerInput } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import { type CallContext, call, looseFlag, optionalText, text, wholeNumber } from './call.ts'

type OwnSettings = AnswerOf<Routes['getSettings']>['settings']
type Change = CallerInput<Routes['updateSettings']>['body']

/** Of the creation of an instance, where each is optional. */
export const settingFields = {
  rejectCall: looseFlag.nullish(),
  msgCall: optionalText,
  groupsIgnore: looseFlag.nullish(),
  alwaysOnline: looseFlag.nullish(),
  readMessages: looseFlag.nullish(),
  readStatus: looseFlag.nullish(),
  syncFullHistory: looseFlag.nullish(),
}
type Given = z.output<z.ZodObject<typeof settingFields>>

/** `readStatus` has no counterpart. The dialect marks each message as read; this API when the instance replies. */
export const changeOf = (given: Given): Change =>
  omitUndefined({
    rejectCalls: given.rejectCall ?? undefined,
    rejectCallsText:
      given.msgCall === undefined || given.msgCall === null ? undefined : given.msgCall || null,
    ignoreGroups: given.groupsIgnore ?? undefined,
    alwaysOnline: given.alwaysOnline ?? undefined,
    readOnReply: given.readMessages ?? undefined,
    syncHistory: typeof given.syncFullHistory === 'boolean' ? historyOf(given.syncFullHistory) : undefined,
  })

/** From a row of the table `Setting`. Databases without booleans have 0 and 1. */
export function settingsOf(row: Record<string, unknown>): Change {
  const flag = (name: string) =>
    [true, 1].includes(row[name] as never)
      ? true
      : [false, 0].includes(row[name] as never)
        ? false
        : undefined
  return changeOf({
    rejectCall: flag('rejectCall'),
    msgCall: typeof row.msgCall === 'string' ? row.msgCall : undefined,
    groupsIgnore: flag('groupsIgnore'),
    alwaysOnline: flag('alwaysOnline'),
    readMessages: flag('readMessages'),
    syncFullHistory: flag('syncFullHistory'),
  })
}

const historyOf = (isFull: boolean) => (isFull ? 'full' : 'recent')

export const shownSettings = (settings: OwnSettings) => ({
  rejectCall: settings.rejectCalls,
  msgCall: settings.rejectCallsText ?? '',
  groupsIgnore: settings.ignoreGroups,
  alwaysOnline: settings.alwaysOnline,
  readMessages: settings.readOnReply,
  readStatus: false,
  syncFullHistory: settings.syncHistory === 'full',
  wavoipToken: '',
})

export async function changeSettings(
  { use, instanceName }: CallContext,
  change: Change,
): Promise<OwnSettings> {
  const query = { instanceName }
  const { settings } =
    Object.keys(change).length > 0
      ? await use('updateSettings', { query, body: change })
      : await use('getSettings', { query })
  return settings
}

const FIELDS = { rejectCallsText: 'msgCall', proxy: 'host' }

export const setSettings = call({
  admission: 'updateSettings',
  status: 201,
  body: z.object({
    ...settingFields,
    rejectCall: looseFlag,
    groupsIgnore: looseFlag,
    alwaysOnline: looseFlag,
    readMessages: looseFlag,
    readStatus: looseFlag,
    syncFullHistory: looseFlag,
  }),
  fields: FIELDS,
  async handle(context, { body }) {
    const settings = await changeSettings(context, changeOf(body))
    return { settings: { instanceName: context.instance.name, settings: shownSettings(settings) } }
  },
})

export const findSettings = call({
  admission: 'getSettings',
  status: 200,
  handle: async (context) => shownSettings(await changeSettings(context, {})),
})

/** An open proxy without credentials leaves them empty. */
export interface ProxyFields {
  host: string
  port: string | number
  protocol?: string | null | undefined
  username?: string | null | undefined
  password?: string | null | undefined
}

export function proxyUrlOf({ host, port, protocol, username, password }: ProxyFields): string {
  const credentials = username ? `${encodeURIComponent(username)}:${encodeURIComponent(password ?? '')}@` : ''
  return `${protocol || 'http'}://${credentials}${host}:${port}`
}

/** Credentials are not shown. */
export function shownProxy(proxy: string | null) {
  const url = proxy === null ? null : URL.parse(proxy.replace(/^socks5:/, 'http:').replace('***@', ''))
  if (!url || proxy === null) return null
  return {
    enabled: true,
    host: url.hostname,
    port: url.port,
    protocol: proxy.split(':')[0],
    username: '',
    password: '',
  }
}

export const setProxy = call({
  admission: 'updateSettings',
  status: 201,
  body: z.object({
    enabled: looseFlag,
    host: text,
    port: z.union([text, wholeNumber]),
    protocol: text,
    username: optionalText,
    password: optionalText,
  }),
  fields: FIELDS,
  async handle(context, { body }) {
    const settings = await changeSettings(context, { proxy: body.enabled ? proxyUrlOf(body) : null })
    return { proxy: { instanceName: context.instance.name, proxy: shownProxy(settings.proxy) } }
  },
})

export const findProxy = call({
  admission: 'getSettings',
  status: 200,
  handle: async (context) => shownProxy((await changeSettings(context, {})).proxy),
})
