// Keeps downloaded files for a short time, so that the messages of one account share them: a campaign downloads its picture
// once, not ten thousand times. Files are not shared between accounts, or when the host's headers forbid it (decision 0082).
import { rm, stat } from 'node:fs/promises'
import { type EntryName, entryName } from '../async/entry-name.ts'
import { realTimers, type Timers } from '../async/timers.ts'

export interface FetchedFile {
  path: string
  sizeBytes: number
  /** The host's Content-Type header; may be empty. */
  contentType: string
  /** How long the host allows reuse for other messages; 0: not at all. */
  reusableMs: number
}

export interface DownloadFailure {
  failed: 'media_unavailable' | 'media_too_large'
  /** A sentence for people, without an address. */
  message: string
}

/** Does work on a file. It may write one file, `target`, which is removed together with the first. */
export type Derive<T> = (target: string) => Promise<T>

export interface AcquiredFile extends FetchedFile {
  /**
   * Does the work once for all holders of the file, those that come later included, and returns its result to each. A failure is
   * also kept. The file stays while the work lasts, even if every holder has released it.
   */
  derive<T>(name: string, work: Derive<T>): Promise<T>
  /** The file is removed when it has expired and every holder has released it. Repeated calls have no effect. */
  release(): Promise<void>
}

export interface MediaCacheParts {
  fetch(href: string, limitBytes: number): Promise<FetchedFile | DownloadFailure>
  keepMs: number
  /** Maximum total size of unused files. The oldest are removed first. */
  idleBytes: number
  timers?: Timers
}

export interface WantedFile {
  /** Part of the cache key: one account could guess another account's URL. */
  accountId: number
  href: string
  limitBytes: number
}

export interface MediaCache {
  acquire(wanted: WantedFile): Promise<AcquiredFile | DownloadFailure>
  clear(): void
}

interface Entry {
  key: EntryName<'account'>
  limitBytes: number
  outcome: Promise<FetchedFile | DownloadFailure>
  file: FetchedFile | undefined
  holders: number
  derived: Map<string, { target: string; result: Promise<unknown> }>
  /** Of the files that were derived. */
  derivedBytes: number
  /** No new holder may join. */
  evicted: boolean
  stopTimer(): void
}

type Entries = Map<EntryName<'account'>, Entry>

export const isFailure = (outcome: object): outcome is DownloadFailure => 'failed' in outcome

const keyOf = ({ accountId, href }: WantedFile) => entryName('account', accountId, href)

export function createMediaCache(parts: MediaCacheParts): MediaCache {
  const entries: Entries = new Map()
  return {
    async acquire(wanted) {
      const key = keyOf(wanted)
      for (;;) {
        const shared = entries.get(key)
        const entry = shared ?? start(entries, parts, wanted)
        if (!shared) entries.set(key, entry)
        entry.holders += 1
        const outcome = await entry.outcome
        if (!isFailure(outcome)) {
          if (shared && outcome.reusableMs <= 0) return await acquireAlone(entries, parts, wanted, entry)
          return withRelease(entries, entry, outcome, parts.idleBytes)
        }
        // The file was too large for a request with a lower limit. Try again with this request's limit.
        const hasHigherLimit = outcome.failed === 'media_too_large' && entry.limitBytes < wanted.limitBytes
        if (!hasHigherLimit) return outcome
      }
    },
    clear() {
      for (const entry of entries.values()) entry.stopTimer()
      entries.clear()
    },
  }
}

/** The shared download turned out not to be reusable: download again for this message only. */
async function acquireAlone(
  entries: Entries,
  parts: MediaCacheParts,
  wanted: WantedFile,
  joined: Entry,
): Promise<AcquiredFile | DownloadFailure> {
  joined.holders -= 1
  await evict(entries, joined)
  const entry = start(entries, parts, wanted)
  entry.holders += 1
  const outcome = await entry.outcome
  return isFailure(outcome) ? outcome : withRelease(entries, entry, outcome, parts.idleBytes)
}

function start(entries: Entries, parts: MediaCacheParts, wanted: WantedFile): Entry {
  const key = keyOf(wanted)
  const entry: Entry = {
    key,
    limitBytes: wanted.limitBytes,
    file: undefined,
    holders: 0,
    derived: new Map(),
    derivedBytes: 0,
    evicted: false,
    stopTimer: () => undefined,
    outcome: parts.fetch(wanted.href, wanted.limitBytes).then(
      (outcome) => {
        if (isFailure(outcome)) removeEntry(entries, entry)
        else keep(entries, parts, entry, outcome)
        return outcome
      },
      (error: unknown) => {
        removeEntry(entries, entry)
        throw error
      },
    ),
  }
  return entry
}

function keep(entries: Entries, parts: MediaCacheParts, entry: Entry, file: FetchedFile): void {
  entry.file = file
  // A file that cannot be shared is removed as soon as its only holder releases it.
  entry.evicted = file.reusableMs <= 0 || entries.get(entry.key) !== entry
  if (entry.evicted) return removeEntry(entries, entry)
  const keepMs = Math.min(parts.keepMs, file.reusableMs)
  const { timers = realTimers } = parts
  const timer = timers.setTimeout(() => void evict(entries, entry).catch(ignoreFailedRemoval), keepMs)
  timer.unref()
  entry.stopTimer = () => timers.clearTimeout(timer)
}

function removeEntry(entries: Entries, entry: Entry): void {
  if (entries.get(entry.key) === entry) entries.delete(entry.key)
}

function withRelease(entries: Entries, entry: Entry, file: FetchedFile, idleBytes: number): AcquiredFile {
  let released: Promise<void> | undefined
  const release = async () => {
    entry.holders -= 1
    await (entry.evicted ? evict(entries, entry) : evictIdle(entries, idleBytes))
  }
  return {
    ...file,
    derive: (name, work) => derive(entries, entry, file, name, work),
    release: () => (released ??= release()),
  }
}

function derive<T>(
  entries: Entries,
  entry: Entry,
  { path }: FetchedFile,
  name: string,
  work: Derive<T>,
): Promise<T> {
  const known = entry.derived.get(name)
  if (known) return known.result as Promise<T>
  const target = `${path}.${name}`
  // The work itself holds the file: those who wait for it may give up.
  entry.holders += 1
  const result = workAndFree(entries, entry, target, work)
  // A failure is reported to those who wait for the result, if there still are any.
  result.catch(() => undefined)
  entry.derived.set(name, { target, result })
  return result
}

async function workAndFree<T>(entries: Entries, entry: Entry, target: string, work: Derive<T>): Promise<T> {
  try {
    return await work(target)
  } finally {
    entry.derivedBytes += await sizeOf(target)
    entry.holders -= 1
    if (entry.evicted) await evict(entries, entry).catch(ignoreFailedRemoval)
  }
}

/** Not every work writes a file. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

async function evict(entries: Entries, entry: Entry): Promise<void> {
  entry.stopTimer()
  entry.evicted = true
  removeEntry(entries, entry)
  if (entry.holders > 0 || !entry.file) return
  for (const { target } of entry.derived.values()) await rm(target, { force: true })
  await rm(entry.file.path, { force: true })
}

/** The file is removed later, with the directory or by the next process. */
const ignoreFailedRemoval = (): void => undefined

/** A map keeps insertion order, so the first entries are the oldest. */
async function evictIdle(entries: Entries, idleBytes: number): Promise<void> {
  const idle = [...entries.values()].filter(({ file, holders }) => file && holders === 0)
  const sizeOfEntry = ({ file, derivedBytes }: Entry) => (file?.sizeBytes ?? 0) + derivedBytes
  let bytes = idle.reduce((sum, entry) => sum + sizeOfEntry(entry), 0)
  for (const entry of idle) {
    if (bytes <= idleBytes) return
    bytes -= sizeOfEntry(entry)
    await evict(entries, entry)
  }
}
