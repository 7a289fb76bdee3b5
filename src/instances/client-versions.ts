// Keeps the version that sessions present to the network: reads the network's page at the start, once a day and after a refusal,
// and stores the last good version (decision 0106).
import { realTimers, type Timer, type Timers } from '../kernel/async/timers.ts'
import type { ClientVersion, ClientVersions } from '../network/client-version.ts'
import type { Store } from '../store/store.ts'
import {
  chooseVersion,
  isNewer,
  isReadDue,
  type PageFault,
  parseVersion,
  versionOnPage,
  versionText,
} from './rules-client-version.ts'
import {
  findClientVersion,
  type StoredVersion,
  saveClientVersion,
  type VersionNetwork,
} from './settings-queries.ts'

/** How often a node looks for a version that another node has stored, and whether a read is due. */
const POLL_MS = 60_000
/** After a read that failed, unless the network refuses the version. */
const FAILED_PAUSE_MS = 60 * 60_000
/** Many sessions are refused one after the other: they share a read. */
const REFUSED_PAUSE_MS = 10_000
const READ_MS = 10_000

const FAULTS: Record<PageFault, string> = {
  unreadable: 'it contains no version',
  absurd: 'its version cannot be right',
  older: 'its version is older than the one of the network library',
}

export interface ClientVersionParts {
  store: Pick<Store, 'db'>
  clock: () => number
  logger: { info(fields: object, text: string): void; warn(fields: object, text: string): void }
  network: VersionNetwork
  /** `WHATSAPP_VERSION`: then the page is not read. */
  setting: ClientVersion | undefined
  builtIn: ClientVersion
  readPage(signal: AbortSignal): Promise<string>
  /** False: another node reads the page. */
  isLead(): boolean
  timers?: Timers
}

export interface VersionKeeper extends ClientVersions {
  /** Takes the stored version, so that the first sessions use it. The page is read in the background. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createClientVersions(parts: ClientVersionParts): VersionKeeper {
  const { clock, logger, setting, builtIn, timers = realTimers } = parts
  const stopping = new AbortController()
  const memory = createMemory(parts)
  const reader = createReader(parts, memory, stopping.signal)
  let timer: Timer | undefined
  let polling: Promise<void> | undefined
  const current = () => chooseVersion({ setting, page: memory.page(), builtIn }).version

  async function readIfDue(): Promise<void> {
    await memory.load()
    if (parts.isLead() && isReadDue(memory.readAt(), clock()) && reader.isAllowed()) await reader.read()
  }
  /** A poll that takes long replaces the next one. */
  function poll(work: () => Promise<void>): void {
    polling ??= work().finally(() => (polling = undefined))
  }
  return {
    current,
    async renew(refused) {
      // A session that connected earlier may have used an older version than the next one would.
      if (isNewer(current(), refused)) return true
      if (!setting) {
        await memory.load()
        if (!isNewer(current(), refused)) await reader.readAfterRefusal()
      }
      const isRenewed = isNewer(current(), refused)
      if (!isRenewed)
        logger.warn(
          { version: versionText(refused) },
          setting
            ? 'the network refuses the version in WHATSAPP_VERSION'
            : 'the network refuses this version of the client, and no newer one is known',
        )
      return isRenewed
    },
    async start() {
      if (setting || timer) return
      await memory.load()
      timer = timers.setInterval(() => poll(readIfDue), POLL_MS)
      timer.unref()
      if (parts.isLead()) poll(reader.read)
    },
    async stop() {
      timers.clearInterval(timer)
      stopping.abort()
      await polling
    },
  }
}

interface Memory {
  page(): ClientVersion | undefined
  /** When the page was read last, by any node. */
  readAt(): number | undefined
  load(): Promise<void>
  save(found: ClientVersion): Promise<void>
}

/** The stored version, also while the store is unavailable. Its functions never reject. */
function createMemory({ store, network, clock, logger }: ClientVersionParts): Memory {
  let known: StoredVersion | undefined
  function take(next: StoredVersion): void {
    if (next.version !== known?.version)
      logger.info({ version: next.version }, 'client version of the network')
    known = next
  }
  return {
    page: () => known && parseVersion(known.version),
    readAt: () => known?.readAt,
    async load() {
      try {
        const found = await findClientVersion(store.db, network)
        // A version that could not be saved is newer than the stored one.
        if (found && found.readAt >= (known?.readAt ?? 0)) take(found)
      } catch (err) {
        logger.warn({ err }, 'could not read the stored client version; using the last known one')
      }
    },
    async save(found) {
      // While the network introduces a version, its hosts announce different ones.
      const version =
        known && isNewer(parseVersion(known.version) ?? found, found) ? known.version : versionText(found)
      const stored = { version, readAt: clock() }
      take(stored)
      await saveClientVersion(store.db, network, stored).catch((err: unknown) =>
        logger.warn({ err }, 'could not store the client version; it is read again after a restart'),
      )
    },
  }
}

function createReader(
  { clock, logger, builtIn, readPage }: ClientVersionParts,
  memory: Memory,
  stopping: AbortSignal,
) {
  let reading: Promise<void> | undefined
  let failedAt: number | undefined
  let refusedAt: number | undefined
  const isWithin = (ms: number, time: number | undefined) =>
    time !== undefined && Math.abs(clock() - time) < ms

  async function readOnce(): Promise<void> {
    failedAt = clock()
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)])
      const found = versionOnPage(await readPage(signal), builtIn)
      if (typeof found === 'string')
        return logger.warn({}, `the client version on the page of the network is ignored: ${FAULTS[found]}`)
      failedAt = undefined
      await memory.save(found)
    } catch (err) {
      if (!stopping.aborted)
        logger.warn({ err }, 'could not read the client version from the page of the network')
    }
  }
  /** Reads at the same time are one. Never rejects. */
  const read = (): Promise<void> => (reading ??= readOnce().finally(() => (reading = undefined)))
  return {
    read,
    isAllowed: () => !isWithin(FAILED_PAUSE_MS, failedAt),
    async readAfterRefusal() {
      // A read that began before the refusal may have found the page as it was.
      await reading
      if (isWithin(REFUSED_PAUSE_MS, refusedAt)) return
      refusedAt = clock()
      await read()
    },
  }
}
