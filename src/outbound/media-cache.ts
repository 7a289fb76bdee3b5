// Keeps each downloaded file for a short while and lets all who want the same URL share it: a campaign fetches its picture
// once, not ten thousand times.
import { rm } from 'node:fs/promises'

export interface FetchedFile {
  path: string
  sizeBytes: number
  /** As the host says; may be empty. */
  contentType: string
}

export interface DownloadFailure {
  failed: 'media_unavailable' | 'media_too_large'
  /** For people; names no address. */
  message: string
}

export interface HeldFile extends FetchedFile {
  /** Each holder lets go once; the file goes when the last has and its time is over. */
  release(): Promise<void>
}

export interface MediaCacheParts {
  fetch(href: string, limitBytes: number): Promise<FetchedFile | DownloadFailure>
  keepMs: number
  /** Files that nobody holds go early, oldest first, when they are more than this together. */
  idleBytes: number
}

export interface MediaCache {
  hold(href: string, limitBytes: number): Promise<HeldFile | DownloadFailure>
  clear(): void
}

interface Entry {
  href: string
  limitBytes: number
  outcome: Promise<FetchedFile | DownloadFailure>
  file: FetchedFile | undefined
  holders: number
  /** Nobody new gets it any more. */
  retired: boolean
  timer: NodeJS.Timeout | undefined
}

type Entries = Map<string, Entry>

export const isFailure = (outcome: object): outcome is DownloadFailure => 'failed' in outcome

export function createMediaCache(parts: MediaCacheParts): MediaCache {
  const entries: Entries = new Map()
  return {
    async hold(href, limitBytes) {
      for (;;) {
        const entry = entries.get(href) ?? start(entries, parts, href, limitBytes)
        entry.holders += 1
        const outcome = await entry.outcome
        if (!isFailure(outcome)) return held(entries, entry, outcome, parts.idleBytes)
        // It was too large for one who wanted less; this one may have more.
        const mayHaveMore = outcome.failed === 'media_too_large' && entry.limitBytes < limitBytes
        if (!mayHaveMore) return outcome
      }
    },
    clear() {
      for (const { timer } of entries.values()) clearTimeout(timer)
      entries.clear()
    },
  }
}

function start(entries: Entries, parts: MediaCacheParts, href: string, limitBytes: number): Entry {
  const entry: Entry = {
    href,
    limitBytes,
    file: undefined,
    holders: 0,
    retired: false,
    timer: undefined,
    outcome: parts.fetch(href, limitBytes).then(
      (outcome) => {
        if (isFailure(outcome)) entries.delete(href)
        else {
          entry.file = outcome
          entry.timer = setTimeout(
            () => void retire(entries, entry).catch(leaveToSweep),
            parts.keepMs,
          ).unref()
        }
        return outcome
      },
      (error: unknown) => {
        entries.delete(href)
        throw error
      },
    ),
  }
  entries.set(href, entry)
  return entry
}

function held(entries: Entries, entry: Entry, file: FetchedFile, idleBytes: number): HeldFile {
  let released: Promise<void> | undefined
  const release = async () => {
    entry.holders -= 1
    await (entry.retired ? retire(entries, entry) : trim(entries, idleBytes))
  }
  return { ...file, release: () => (released ??= release()) }
}

async function retire(entries: Entries, entry: Entry): Promise<void> {
  clearTimeout(entry.timer)
  entry.retired = true
  if (entries.get(entry.href) === entry) entries.delete(entry.href)
  if (entry.holders === 0 && entry.file) await rm(entry.file.path, { force: true })
}

/** A file that cannot be removed now is removed with the directory, or by the next process. */
const leaveToSweep = (): void => undefined

/** A map keeps the order of arrival, so the first are the oldest. */
async function trim(entries: Entries, idleBytes: number): Promise<void> {
  const idle = [...entries.values()].filter(({ file, holders }) => file && holders === 0)
  let bytes = idle.reduce((sum, { file }) => sum + (file?.sizeBytes ?? 0), 0)
  for (const entry of idle) {
    if (bytes <= idleBytes) return
    bytes -= entry.file?.sizeBytes ?? 0
    await retire(entries, entry)
  }
}
