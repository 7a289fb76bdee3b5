// Imports sessions of other programs: reads a source, checks every login and key, and stores what is sound (decision 0138).
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { findAccount, findFirstAccount, findPlan } from '../../../accounts/account-queries.ts'
import type { KeyHolder } from '../../../accounts/caller.ts'
import { openStore, unlockStore } from '../../../app/open-store.ts'
import { createCheckUrl, openOutbound } from '../../../app/outbound.ts'
import { type Settings, SettingsError } from '../../../config.ts'
import type { CheckUrl, Deps } from '../../../context.ts'
import { GatewayError } from '../../../errors.ts'
import { importInstance, NumberInUseError } from '../../../instances/import-instance.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import type { Outbound } from '../../../kernel/outbound/client.ts'
import type { KeyChange } from '../../../network/network.ts'
import type { Db } from '../../../store/tables.ts'
import {
  ForeignKeyError,
  type ForeignLogin,
  readForeignKey,
  readForeignLogin,
} from '../../../whatsapp/library/foreign-session.ts'
import { openBaileysFolder } from './baileys-folder.ts'
import { openEvolution } from './evolution.ts'
import { type Counts, checkBelongings, countContacts, storeBelongings } from './import-belongings.ts'
import { connectRedis, type RedisClient } from './redis-client.ts'
import { countOtherClients, listHashes, sessionInHash } from './redis-sessions.ts'
import { type Belongings, type FoundSession, type SessionSource, SourceError } from './session-source.ts'

// The Redis database of baileys-api: a hash `@baileys-api:connections:{phone}:authState` for each session.

/** With any prefix: it can be changed. */
const HASHES = '*:connections:*:authState'
const PHONE = /:connections:([^:]+):authState$/

async function openBaileysApi(url: string): Promise<SessionSource> {
  const client = await connectRedis(url)
  return {
    async *sessions() {
      const hashes = await listHashes(client, HASHES)
      if (hashes.length === 0) throw new SourceError(`Redis has no hash with a name like ${HASHES}`)
      for (const hash of hashes)
        yield {
          ...sessionInHash(client, hash, PHONE.exec(hash)?.[1] ?? hash),
          belongings: () => belongingsIn(client, hash),
        }
    },
    runningNow: async () =>
      (await countOtherClients(client)) > 0 ? 'another client is connected to Redis' : undefined,
    close: async () => client.close(),
  }
}

const MAX_METADATA_BYTES = 64 * 1024

/** The settings of the connection, with its webhook. */
async function belongingsIn(client: RedisClient, hash: string): Promise<Belongings> {
  const length = await client.command('HSTRLEN', hash, 'metadata')
  if (Number(length) > MAX_METADATA_BYTES) return {}
  const text = await client.command('HGET', hash, 'metadata')
  const { webhookUrl, clientName, syncFullHistory } = metadataIn(text)
  return {
    settings: { clientName, syncFullHistory },
    ...(typeof webhookUrl === 'string' && { webhook: { url: webhookUrl } }),
  }
}

function metadataIn(text: unknown): Record<string, unknown> {
  try {
    const parsed = JSON.parse(String(text)) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** `keys`: where the keys of sessions are, for a program that stores them apart. */
export const SOURCES: Record<string, (location: string, keys: string | undefined) => Promise<SessionSource>> =
  {
    'baileys-folder': openBaileysFolder,
    'baileys-api': openBaileysApi,
    evolution: openEvolution,
  }

/** A program writes its sessions with every message. One that has written just now probably still runs. */
const QUIET_MS = 60_000
/** Keys in memory at once, by number and by size. */
const BATCH_KEYS = 500
const BATCH_BYTES = 4 * 1024 * 1024

export interface ImportRequest {
  from: string
  location: string
  /** Where the keys are, if they are not at the location. */
  keys?: string | undefined
  /** False: only report what would be done. */
  isApplied: boolean
  /** Undefined: the first account. */
  accountId: number | undefined
  /** The user says that the other program is stopped. */
  isStopped: boolean
}

export interface SessionReport {
  label: string
  outcome: 'imported' | 'ready' | 'refused'
  /** Why it was refused. */
  reason: string | null
  number: string | null
  profileName: string | null
  /** API name of the new instance. */
  instanceName: string | null
  /** Number of keys by kind. */
  taken: Record<string, number>
  /** What else is taken: name, token, settings, proxy, webhook, contacts. */
  belongings: Counts
  /** What is not taken: how much of it, by kind and reason. */
  left: Record<string, number>
}

export type ImportSessions = (
  settings: Settings,
  request: ImportRequest,
  onSession: (report: SessionReport) => void,
) => Promise<SessionReport[]>

/** A session that cannot be taken is reported, and the others are taken all the same. */
export const importSessions: ImportSessions = async (settings, request, onSession) => {
  const open = SOURCES[request.from]
  if (!open) throw new SourceError(`--from: expected ${Object.keys(SOURCES).join(', ')}`)
  const source = await open(request.location, request.keys)
  const reports: SessionReport[] = []
  let target: Target | undefined
  let outbound: Outbound | undefined
  try {
    if (!request.isStopped) await refuseRunning(source)
    outbound = await openOutbound(settings, {})
    const checkUrl = createCheckUrl(outbound)
    target = request.isApplied ? await openTarget(settings, request.accountId) : undefined
    for await (const session of source.sessions()) {
      const report = await importOne(session, request, { target, checkUrl })
      reports.push(report)
      onSession(report)
    }
  } finally {
    await target?.close()
    await outbound?.close()
    await source.close()
  }
  return reports
}

async function refuseRunning(source: SessionSource): Promise<void> {
  const sign = await source.runningNow?.()
  if (sign !== undefined)
    throw new SourceError(`${sign}: stop the other program first. If it is stopped already, add --stopped`)
}

interface Target {
  deps: Pick<Deps, 'store' | 'vault' | 'clock'>
  holder: Pick<KeyHolder, 'account' | 'plan'>
  close(): Promise<void>
}

async function openTarget(settings: Settings, accountId: number | undefined): Promise<Target> {
  const logger = pino({ level: 'silent' }) as FastifyBaseLogger
  const store = await openStore(settings, { observeCommit: () => undefined }, logger, () => undefined)
  try {
    const holder = await findHolder(store.db, accountId)
    const { vault } = await unlockStore(settings, store)
    return { deps: { store, vault, clock: wallClock }, holder, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function findHolder(db: Db, accountId: number | undefined): Promise<Target['holder']> {
  const account = await (accountId === undefined ? findFirstAccount(db) : findAccount(db, accountId))
  const plan = account && (await findPlan(db, account.plan_id))
  if (account && plan) return { account, plan }
  throw new SettingsError([
    accountId === undefined
      ? 'DATA_DIR: there is no account yet; start the server once, and stop it'
      : `--account: there is no account ${accountId}`,
  ])
}

async function importOne(
  session: FoundSession,
  { from, isStopped }: ImportRequest,
  { target, checkUrl }: { target: Target | undefined; checkUrl: CheckUrl },
): Promise<SessionReport> {
  const report: SessionReport = {
    label: session.label,
    outcome: 'refused',
    reason: null,
    number: null,
    profileName: null,
    instanceName: null,
    taken: {},
    belongings: {},
    left: {},
  }
  try {
    const login = readForeignLogin(await session.creds())
    report.number = login.account.number
    report.profileName = login.account.name
    if (!isStopped) await requireQuiet(session)
    const checked = checkBelongings((await session.belongings?.()) ?? {}, from, checkUrl)
    if (!target) {
      for await (const _batch of readKeys(session, login, report));
      const contacts = await countContacts(checked)
      report.belongings = { ...checked.taken, ...(contacts > 0 && { contacts }) }
      report.left = { ...report.left, ...checked.left }
      return { ...report, outcome: 'ready' }
    }
    const { deps, holder } = target
    const keys = () => readKeys(session, login, report)
    const made = await importInstance(deps, holder, {
      displayName: nameOf(session.label),
      account: login.account,
      keys,
      // After the keys. From the beginning, if the transaction is repeated.
      also(tx, instance) {
        report.belongings = { ...checked.taken }
        Object.assign(report.left, checked.left)
        const counts = { taken: report.belongings, left: report.left }
        return storeBelongings(deps, tx, instance, { holder, checked, ...counts })
      },
    })
    return { ...report, outcome: 'imported', instanceName: made.api_name }
  } catch (error) {
    return { ...report, outcome: 'refused', reason: reasonOf(error) }
  }
}

const MAX_NAME = 64
/** As a display name of the API. */
const nameOf = (label: string): string =>
  label
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .trim() || 'Imported'

async function requireQuiet(session: FoundSession): Promise<void> {
  const changedAt = await session.changedAt()
  const agoMs = changedAt === undefined ? QUIET_MS : wallClock() - changedAt
  if (agoMs < QUIET_MS)
    throw new SourceError(
      `changed ${Math.max(0, Math.round(agoMs / 1000))} s ago: stop the other program first, then wait a minute or add --stopped`,
    )
}

/** Only what the user can do something about; anything else ends the import. */
function reasonOf(error: unknown): string {
  const isKnown =
    error instanceof ForeignKeyError ||
    error instanceof SourceError ||
    error instanceof NumberInUseError ||
    error instanceof GatewayError
  if (isKnown) return error.message
  throw error
}

/** In batches, the login first. Counts into the report, from zero each time. */
async function* readKeys(
  session: FoundSession,
  { creds }: ForeignLogin,
  report: SessionReport,
): AsyncIterable<KeyChange[]> {
  report.taken = {}
  report.left = {}
  let batch: KeyChange[] = [creds]
  let bytes = 0
  for await (const found of session.keys()) {
    const key = 'unread' in found ? `${found.unread}: ${found.why}` : readOne(found)
    if (typeof key === 'string') {
      report.left[key] = (report.left[key] ?? 0) + 1
      continue
    }
    report.taken[key.kind] = (report.taken[key.kind] ?? 0) + 1
    batch.push(key)
    bytes += key.value?.length ?? 0
    if (batch.length < BATCH_KEYS && bytes < BATCH_BYTES) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  yield batch
}

/** The key, or why it is left out. */
function readOne({ kind, name, text }: { kind: string; name: string; text: string }): KeyChange | string {
  try {
    return readForeignKey(kind, name, text)
  } catch (error) {
    if (error instanceof ForeignKeyError) return `${kind}: ${error.message.replace(`${kind}: `, '')}`
    throw error
  }
}
