// Keeps an arrival that ends the process, or that the store refuses, from doing so for ever, and gives arrivals their turns (decision 0113).
import { createHash } from 'node:crypto'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createMutex } from '../kernel/async/locks.ts'
import { realTimers, type Timers } from '../kernel/async/timers.ts'
import { settledWithin } from '../kernel/async/waiting.ts'
import { stanzaOf } from '../network/arrival-names.ts'
import type { ArrivalGuard, KeyChange, NetworkEvent } from '../network/network.ts'
import { instanceScope, type Vault } from '../store/vault.ts'
import { type SetAsideDeps, type SetAsideItem, setAside } from './set-aside.ts'
import { type ArrivalDeath, listDeaths } from './set-aside-queries.ts'

// Keeps an arrival that ends the process, or that the store refuses, from doing so for ever (decision 0113).

/**
 * An arrival is not handled again after two deaths by the process's own fault, or five of unknown cause, and only if it alone was in progress
 * at all of them but the first. A kill from outside looks like many other deaths, and several in a row can meet the same arrival.
 */
const MAX_WEIGHT = 10
const WEIGHTS = { own: 5, unknown: 2 }

/**
 * What the death of a process says about the arrivals that were in progress. Of several at the same time, any may be the cause: that makes
 * each a suspect, which is tried again alone, and never more than that.
 */
export function weighed(
  marks: readonly Pick<ArrivalDeath, 'instanceId' | 'name'>[],
  cause: keyof typeof WEIGHTS,
): ArrivalDeath[] {
  const arrivals = new Map(
    marks.map(({ instanceId, name }) => [markOf(instanceId, name), { instanceId, name }]),
  )
  const isAlone = arrivals.size === 1
  return Array.from(arrivals.values(), (arrival) => ({ ...arrival, weight: WEIGHTS[cause], isAlone }))
}

/** The last are those of chats with a suspect, because each chat keeps its order. */
export function suspectsLast<T>(
  arrivals: readonly T[],
  nameOf: (arrival: T) => string,
  isSuspect: (name: string) => boolean,
): T[] {
  const names = arrivals.map(nameOf).filter(isSuspect)
  if (names.length === 0) return [...arrivals]
  const chats = new Set(names.map((name) => stanzaOf(name).chat))
  const isLast = (arrival: T) => chats.has(stanzaOf(nameOf(arrival)).chat)
  return [...arrivals.filter((arrival) => !isLast(arrival)), ...arrivals.filter(isLast)]
}

/** What all sessions of this process share. */
export interface CrashWatch {
  marks: {
    /** Marks the work until the returned function is called. The next process finds it if this one dies before. */
    set(text: string): () => void
  }
  /** An arrival during which a process has died is alone in progress, so that no other one is blamed if it happens again. */
  turns: ArrivalTurns
}

export const unwatched = (): CrashWatch => ({
  marks: { set: () => () => undefined },
  turns: createArrivalTurns(),
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
  /** Another node was lost while these were in its inbox: any may have been in progress. */
  suspectLeft(names: readonly string[]): void
  isSuspect(name: string): boolean
  /** An arrival that is stored already. */
  setAsideStored(name: string, payload: Uint8Array, reason: SetAsideItem['reason']): Promise<void>
  setAsideNotice(event: NetworkEvent): Promise<void>
  setAsideKey(key: KeyChange): Promise<void>
}

export function createArrivalGuard(deps: GuardDeps, instanceId: number, log: Logger): InstanceGuard {
  const { marks, turns } = deps.crashWatch ?? unwatched()
  let weights: ReadonlyMap<string, number> = new Map()
  let left: ReadonlySet<string> = new Set()
  const weightOf = (name: string): number =>
    weights.size === 0 ? 0 : (weights.get(stanzaOf(name).stanza) ?? 0)

  const isSuspect = (name: string): boolean => weightOf(name) > 0 || left.has(name)

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
    const ends = names.map((name) => marks.set(markOf(instanceId, stanzaOf(name).stanza)))
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
    suspectLeft(names) {
      left = new Set(names)
    },
    isSuspect,
    isFatal: (name) => weightOf(name) >= MAX_WEIGHT,
    run: (names, work) => turns[names.some(isSuspect) ? 'alone' : 'together'](() => marked(names, work)),
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

const markOf = (instanceId: number, name: string): string => `${instanceId} ${name}`
const MARK = /^(\d{1,15}) (\S+)$/

/** A mark of an earlier process, as it was set above. */
export function readMark(text: string): { instanceId: number; name: string } | undefined {
  const [, id, name] = MARK.exec(text) ?? []
  return id !== undefined && name !== undefined ? { instanceId: Number(id), name } : undefined
}

// Turns of arrivals in one process. Most are handled at the same time. One that was in progress when a process died is handled last and
// alone: if this process dies as well, it was the only one in progress, and no other message is blamed.

interface ArrivalTurns {
  /** Handles an arrival together with others. */
  together<T>(work: () => Promise<T>): Promise<T>
  /** Handles an arrival while no other one is in progress, after those that arrive in the meantime. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

interface TurnTimes {
  /** No other arrival was in progress for this long: those that came after the start are handled. */
  quietMs: number
  /** Arrivals that keep coming do not put off a suspect for longer. */
  longestQuietMs: number
  /** Suspects that follow one another within this time do not wait for a quiet moment again. */
  roundMs: number
  /** After this time an arrival begins although another is still in progress. The marks then show both, and neither is set aside. */
  longestTurnMs: number
}

export const TURN_TIMES: TurnTimes = {
  quietMs: 1000,
  longestQuietMs: 10_000,
  roundMs: 60_000,
  longestTurnMs: 60_000,
}

/** Resolves all that wait for the next change. */
function createSignal() {
  let next = Promise.withResolvers<void>()
  return {
    next: (): Promise<void> => next.promise,
    give(): void {
      next.resolve()
      next = Promise.withResolvers<void>()
    },
  }
}

export function createArrivalTurns(
  times: TurnTimes = TURN_TIMES,
  timers: Timers = realTimers,
  now: () => number = () => performance.now(),
): ArrivalTurns {
  const suspects = createMutex()
  const changed = createSignal()
  let inWork = 0
  let lastEndedAt = -Infinity
  /** A suspect that is in progress, or that waits until the others in progress have ended. */
  let turn: Promise<void> | undefined
  let roundEndsAt = -Infinity
  const isBusy = () => inWork > 0

  /** Resolves when no other arrival was in progress for a while. Once for suspects that follow one another. */
  async function othersFirst(): Promise<void> {
    const since = now()
    const latest = since + times.longestQuietMs
    if (since < roundEndsAt) return
    while (now() < latest) {
      const quietAt = isBusy() ? latest : Math.max(since, lastEndedAt) + times.quietMs
      if (now() >= quietAt) break
      await settledWithin(changed.next(), Math.min(quietAt, latest) - now(), timers)
    }
  }

  async function takeTurn(): Promise<() => void> {
    const ended = Promise.withResolvers<void>()
    turn = ended.promise
    const latest = now() + times.longestTurnMs
    while (isBusy() && now() < latest) await settledWithin(changed.next(), latest - now(), timers)
    return () => {
      turn = undefined
      roundEndsAt = now() + times.roundMs
      ended.resolve()
    }
  }

  return {
    async together(work) {
      const latest = now() + times.longestTurnMs
      for (let open = turn; open && now() < latest; open = turn)
        await settledWithin(open, latest - now(), timers)
      inWork += 1
      try {
        return await work()
      } finally {
        inWork -= 1
        lastEndedAt = now()
        changed.give()
      }
    },
    alone: (work) =>
      suspects.runExclusive(async () => {
        await othersFirst()
        const end = await takeTurn()
        try {
          return await work()
        } finally {
          end()
          // Those that waited meanwhile begin before the next suspect.
          await nextRound()
        }
      }),
  }
}
