// The files of messages as addresses that a browser shows. Each is read once, a few at a time, and forgotten when it is no longer used.
import type { ShownKind } from './message-file.ts'

export interface LoadedFile {
  messageId: string
  instanceName: string
  kind: ShownKind
  mediaId: string | null
}

/** `gone`: the file is not available, or is none that a page shows. */
export type LoadState = { at: 'loading' } | { at: 'ready'; address: string } | { at: 'gone' }

export interface FileLoaderParts {
  /** Undefined: it is not available. Rejects with `busy` if too many files are read: then it is tried again. */
  read(file: LoadedFile, signal: AbortSignal): Promise<Blob | undefined>
  createAddress(blob: Blob): string
  revokeAddress(address: string): void
  /** Waits before the next attempt. */
  pause(attempt: number): Promise<void>
}

export interface FileLoader {
  /** Loads the file, and calls back at each change. Returns a function that says it is no longer used. */
  use(file: LoadedFile, onChange: (state: LoadState) => void): () => void
  /** A file of this device that was uploaded: its message needs no download. */
  keepLocal(mediaId: string, file: Blob): void
  hasLocal(mediaId: string | null): boolean
}

/** An account reads two files from the network at a time. */
const AT_ONCE = 2
/** Files without a user that are kept, because a reader goes back and forth between chats. */
const MOST_UNUSED = 24
const MOST_LOCAL = 24
const MOST_ATTEMPTS = 6

/** The gateway sends too many files at this moment. */
export class BusyError extends Error {}

interface Entry {
  state: LoadState
  users: Set<(state: LoadState) => void>
  abort: AbortController
}

export function createFileLoader({ read, createAddress, revokeAddress, pause }: FileLoaderParts): FileLoader {
  const entries = new Map<string, Entry>()
  const local = new Map<string, Blob>()
  const waiting: (() => void)[] = []
  let running = 0

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  async function readPatiently(file: LoadedFile, signal: AbortSignal): Promise<Blob | undefined> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        return await withSlot(async () => (signal.aborted ? undefined : read(file, signal)))
      } catch (error) {
        if (!(error instanceof BusyError) || attempt === MOST_ATTEMPTS) return undefined
        await pause(attempt)
      }
    }
    return undefined
  }

  async function load(key: string, file: LoadedFile, entry: Entry): Promise<void> {
    const own = file.mediaId === null ? undefined : local.get(file.mediaId)
    const blob = own ?? (await readPatiently(file, entry.abort.signal))
    if (entries.get(key) !== entry) return
    entry.state = blob ? { at: 'ready', address: createAddress(blob) } : { at: 'gone' }
    for (const changed of entry.users) changed(entry.state)
  }

  function drop(key: string, entry: Entry): void {
    entries.delete(key)
    entry.abort.abort()
    if (entry.state.at === 'ready') revokeAddress(entry.state.address)
  }

  /** The longest unused first: a map has the order in which its entries were set. */
  function forgetUnused(): void {
    const unused = [...entries].filter(([, { users }]) => users.size === 0)
    for (const [key, entry] of unused.slice(0, Math.max(0, unused.length - MOST_UNUSED))) drop(key, entry)
  }

  return {
    use(file, onChange) {
      const key = `${file.instanceName} ${file.messageId}`
      const known = entries.get(key)
      const entry: Entry = known ?? {
        state: { at: 'loading' },
        users: new Set(),
        abort: new AbortController(),
      }
      entry.users.add(onChange)
      if (known) onChange(entry.state)
      else {
        entries.set(key, entry)
        void load(key, file, entry)
      }
      return () => {
        entry.users.delete(onChange)
        if (entry.users.size > 0 || entries.get(key) !== entry) return
        if (entry.state.at !== 'ready') return drop(key, entry)
        entries.delete(key)
        entries.set(key, entry)
        forgetUnused()
      }
    },
    hasLocal: (mediaId) => mediaId !== null && local.has(mediaId),
    keepLocal(mediaId, file) {
      local.set(mediaId, file)
      for (const oldest of [...local.keys()].slice(0, Math.max(0, local.size - MOST_LOCAL)))
        local.delete(oldest)
    },
  }
}
