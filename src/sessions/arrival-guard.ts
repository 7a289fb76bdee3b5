// Keeps an arrival that ends the process, or that the store refuses, from doing so for ever (decision 0113).
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { createMutex, type Mutex } from '../async/mutex.ts'
import { type SetAsideDeps, type SetAsideItem, setAside } from '../domain/set-aside.ts'
import { stanzaOf } from '../network/arrival-names.ts'
import type { ArrivalGuard, KeyChange, NetworkEvent } from '../network/network.ts'
import { listDeaths } from '../store/queries/set-aside.ts'
import { instanceScope, type Vault } from '../store/vault.ts'

/**
 * An arrival is not handled again after two deaths by the process's own fault, or five of unknown cause. A kill from outside looks like
 * many other deaths, and several in a row can meet the same arrival: it is the first one after each start.
 */
const MAX_WEIGHT = 10
const WEIGHTS = { own: 5, unknown: 2 }

export const weighed = <T>(deaths: readonly T[], cause: keyof typeof WEIGHTS): (T & { weight: number })[] =>
  deaths.map((death) => Object.assign({}, death, { weight: WEIGHTS[cause] }))

/** What all sessions of this process share. */
export interface CrashWatch {
  marks: {
    /** Marks the work until the returned function is called. The next process finds it if this one dies before. */
    set(text: string): () => void
  }
  /**
   * Held by an arrival during which a process has died. Without it, all arrivals that were handled at that moment would be handled
   * together again, and an innocent one would be blamed for the second death as well.
   */
  suspects: Mutex
}

export const unwatched = (): CrashWatch => ({
  marks: { set: () => () => undefined },
  suspects: createMutex(),
})

export interface GuardDeps extends SetAsideDeps {
  vault: Vault
  /** Absent: deaths are not noticed. */
  crashWatch?: CrashWatch | undefined
}

type Unsealed = Omit<SetAsideItem, 'sealed' | 'messageId' | 'chat'> &
  Partial<Pick<SetAsideItem, 'messageId' | 'chat'>> & { payload: Uint8Array }

export interface InstanceGuard extends ArrivalGuard {
  /** Reads the deaths that processes have recorded so far. For each new connection. */
  refresh(): Promise<void>
  isSuspect(name: string): boolean
  /** An arrival that is stored already. */
  setAsideStored(name: string, payload: Uint8Array, reason: SetAsideItem['reason']): Promise<void>
  setAsideNotice(event: NetworkEvent): Promise<void>
  setAsideKey(key: KeyChange): Promise<void>
}

export function createArrivalGuard(deps: GuardDeps, instanceId: number, log: Logger): InstanceGuard {
  const { marks, suspects } = deps.crashWatch ?? unwatched()
  let weights: ReadonlyMap<string, number> = new Map()
  const weightOf = (name: string): number =>
    weights.size === 0 ? 0 : (weights.get(stanzaOf(name).stanza) ?? 0)

  async function keep({ payload, messageId = null, chat = null, ...item }: Unsealed): Promise<void> {
    const { store, vault } = deps
    const box = await vault.box(store.db, instanceScope(instanceId))
    const cell = { table: 'set_aside', column: 'sealed', row: `${instanceId}/${item.name}` }
    const sealed = box.seal(cell, payload)
    const isNew = await setAside(deps, instanceId, { ...item, messageId, chat, sealed })
    const { what, reason } = item
    if (isNew) log.warn({ what, reason, messageId }, 'session: set aside what the network delivered')
  }
  const keepMessage = (name: string, item: Pick<Unsealed, 'payload' | 'reason' | 'arrival'>) => {
    const { stanza, chat, messageId } = stanzaOf(name)
    return keep({ ...item, name: stanza, what: 'message', messageId, chat })
  }
  async function marked<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const ends = names.map((name) => marks.set(`${instanceId} ${stanzaOf(name).stanza}`))
    try {
      return await work()
    } finally {
      for (const end of ends) end()
    }
  }

  return {
    async refresh() {
      weights = await listDeaths(deps.store.db, instanceId)
    },
    isSuspect: (name) => weightOf(name) > 0,
    isFatal: (name) => weightOf(name) >= MAX_WEIGHT,
    run: (names, work) =>
      names.some((name) => weightOf(name) > 0)
        ? suspects.runExclusive(() => marked(names, work))
        : marked(names, work),
    setAside: ({ name, payload, reason }) => keepMessage(name, { payload, reason }),
    setAsideStored: (name, payload, reason) => keepMessage(name, { payload, reason, arrival: name }),
    async setAsideNotice(event) {
      const payload = Buffer.from(JSON.stringify(event))
      await keep({ name: nameOf('notice', payload), what: 'notice', reason: 'refused_by_store', payload })
    },
    async setAsideKey({ kind, name, value }) {
      const payload = Buffer.from(JSON.stringify({ kind, name, bytes: value?.length ?? null }))
      await keep({ name: nameOf('key', payload), what: 'key', reason: 'refused_by_store', payload })
    },
  }
}

const nameOf = (what: string, payload: Uint8Array): string =>
  `${what}|${createHash('sha256').update(payload).digest('base64url')}`

const MARK = /^(\d{1,15}) (\S+)$/

/** A mark of an earlier process, as it was set above. */
export function readMark(text: string): { instanceId: number; name: string } | undefined {
  const [, id, name] = MARK.exec(text) ?? []
  return id !== undefined && name !== undefined ? { instanceId: Number(id), name } : undefined
}
