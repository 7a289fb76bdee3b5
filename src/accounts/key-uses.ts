// When each API key was last used: collected in memory and written every few seconds, so that a request costs no write.

const FLUSH_MS = 5000

export interface KeyUseRecorder {
  note(keyId: number): void
  stop(): Promise<void>
}

export function createKeyUses(
  write: (uses: Map<number, number>) => Promise<void>,
  clock: () => number,
  onError: (error: unknown) => void,
): KeyUseRecorder {
  let uses = new Map<number, number>()
  async function flush(): Promise<void> {
    if (uses.size === 0) return
    const written = uses
    uses = new Map()
    await write(written).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    note: (keyId) => void uses.set(keyId, clock()),
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
