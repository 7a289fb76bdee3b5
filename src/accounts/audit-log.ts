// The audit list as it is written: collected in memory and stored every second, so that a request costs no write of its own.

const FLUSH_MS = 1000
/** A key in a loop must not fill the memory. What is dropped is counted in the log. */
const MAX_WAITING = 5000

export interface AuditLog<Entry> {
  note(entry: Entry): void
  /** Stores what was noted so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export function createAuditLog<Entry>(
  write: (entries: Entry[]) => Promise<void>,
  onError: (error: unknown, lost: number) => void,
): AuditLog<Entry> {
  let waiting: Entry[] = []
  let dropped = 0
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    const [entries, lost] = [waiting, dropped]
    waiting = []
    dropped = 0
    if (lost > 0) onError(undefined, lost)
    if (entries.length > 0) await write(entries).catch((error: unknown) => onError(error, entries.length))
  }
  /** One write at a time, so that the list keeps its order. */
  const flush = () => (writing = writing.then(writeAll))
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    note(entry) {
      if (waiting.length < MAX_WAITING) waiting.push(entry)
      else dropped += 1
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
