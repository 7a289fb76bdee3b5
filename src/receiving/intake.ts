// Turns arrivals into messages, in the order of arrival. Arrivals that an earlier connection left are processed first.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { listWaitingArrivals } from '../instances/session-key-queries.ts'
import { createSerialQueue, type SerialQueue } from '../kernel/async/locks.ts'
import type { Arrival, Interpretation, NetworkSession } from '../network/network.ts'
import type { Started } from '../tracer.ts'
import { createArrivalGuard, type GuardDeps, type InstanceGuard, suspectsLast } from './arrival-guard.ts'
import { type ArrivalProcessor, createArrivalProcessor, type SessionNow } from './arrival-processor.ts'
import { arrivalOpener, type CredentialsDeps } from './credentials.ts'
import { createEarlyReader, type EarlyReader } from './early-reader.ts'
import { isIndependent, type ReadArrival, type ReceivedDeps } from './received.ts'

export interface Intake {
  /** For a new connection. */
  earlyReader(): EarlyReader
  /** Processes the arrivals that waited for a connection. */
  catchUp(session: SessionNow): Promise<void>
  take(arrival: Arrival, session: SessionNow): Promise<void>
  /** Resolves when all arrivals so far are processed. */
  allWritten(): Promise<void>
}

interface Selection {
  /** What of an arrival is recorded. Absent: everything. */
  select?: ((read: Interpretation) => Interpretation) | undefined
  /** This node, if several may use the database. */
  nodeId?: number | undefined
}

/** An arrival that waits for its turn, with its session, and with its content once it is interpreted. */
interface Taken {
  arrival: Arrival
  session: SessionNow
  read?: Interpretation
  /** Undefined while tracing is off, and for an arrival of an earlier connection. */
  started?: Started | undefined
}

/** Arrivals that are recorded in one commit. */
const MAX_RUN = 100

/**
 * Arrivals that came while a commit was running form the next run. Independent messages of a run are recorded in one commit, in
 * their order. All others, such as an edit or a history, are recorded alone, after those before them.
 */
export function createIntake(
  deps: CredentialsDeps & ReceivedDeps & GuardDeps & Selection,
  instanceId: number,
  log: Logger,
  pauseFor: (ms: number) => Promise<unknown> = pause,
  guard: InstanceGuard = createArrivalGuard(deps, instanceId, log),
): Intake {
  const { select = (read) => read } = deps
  const processor = createArrivalProcessor({ deps, select, instanceId, log, pauseFor, guard })
  const { caughtUp, processEarlier, processRun } = createRuns({ deps, instanceId, select, guard, processor })
  const queue = createQueue(log)
  const waiting: Taken[] = []
  const early = createEarlyArrivals()
  let opened: SessionNow | undefined

  /** The session, if arrivals of earlier connections and of this one are processed. */
  function idleSession(): NetworkSession | undefined {
    const open = opened?.()
    return open === caughtUp() && !early.isAnyWaiting() ? open : undefined
  }

  return {
    earlyReader() {
      early.forget()
      const { noteWaiting, noteProcessed } = early
      const { receivers } = processor
      return createEarlyReader({ deps, select, guard, receivers, idleSession, noteWaiting, noteProcessed })
    },
    catchUp: (session) =>
      queue.run(() => {
        opened = session
        processor.noteOpened(session())
        return processEarlier(session)
      }),
    async take(arrival, session) {
      if (early.isProcessed(arrival.name)) return
      waiting.push({ arrival, session, started: deps.trace?.start() })
      await queue.run(() => processRun(waiting.splice(0, MAX_RUN)))
      early.noteEnded(arrival.name)
    },
    allWritten: queue.drained,
  }
}

interface RunParts {
  deps: CredentialsDeps & Pick<Selection, 'nodeId'>
  instanceId: number
  select: NonNullable<Selection['select']>
  guard: InstanceGuard
  processor: ArrivalProcessor
}

function createRuns({ deps, instanceId, select, guard, processor }: RunParts) {
  /** The session that has processed the arrivals of earlier ones. */
  let caughtUp: NetworkSession | undefined
  let isFirstConnection = true

  async function processOne({ session, arrival, read, started }: Taken): Promise<void> {
    const isProcessed = await processor.process(session, arrival, { read, started })
    // The connection is closed: arrivals stay in the store, and the next session must process them.
    if (!isProcessed) caughtUp = undefined
  }
  /** Called before each new arrival too: the network may deliver messages before the session is open. */
  async function processEarlier(session: SessionNow): Promise<void> {
    const open = session()
    if (!open) caughtUp = undefined
    if (caughtUp === open) return
    const openArrival = await arrivalOpener(deps, instanceId)
    const earlier = await listWaitingArrivals(deps.store.db, instanceId)
    // The marks of a node that was lost are on its own disk. It handled the first arrivals; those after them were not in progress.
    if (isFirstConnection && deps.nodeId !== undefined)
      guard.suspectLeft(earlier.slice(0, MAX_RUN).map(({ name }) => name))
    isFirstConnection = false
    for (const { name, sealed } of suspectsLast(earlier, ({ name }) => name, guard.isSuspect))
      await processOne({ session, arrival: { name, payload: openArrival(name, sealed) } })
    if (session() === open) caughtUp = open
  }
  async function processRun(run: Taken[]): Promise<void> {
    const independent: Taken[] = []
    for (const taken of suspectsLast(run, ({ arrival }) => arrival.name, guard.isSuspect)) {
      const isCandidate = taken.session() === caughtUp && !guard.isSuspect(taken.arrival.name)
      const read = isCandidate ? await interpret(taken, select, guard) : undefined
      if (read && isIndependent(read)) {
        independent.push({ ...taken, read })
        continue
      }
      const final = finalReading(read, independent.length)
      await recordAll(independent.splice(0))
      await processEarlier(taken.session)
      await processOne(final ? { ...taken, read: final } : taken)
    }
    await recordAll(independent)
  }
  async function recordAll(run: Taken[]): Promise<void> {
    const isRecorded = run[1] && (await processor.recordTogether(run[1].session, run.flatMap(toRead)))
    // One by one, a bad arrival does not block the others.
    if (!isRecorded) for (const taken of run) await processOne(taken)
  }
  return { caughtUp: () => caughtUp, processEarlier, processRun }
}

/** Which arrivals of the newest connection are processed already, and which wait for their turn. */
function createEarlyArrivals() {
  /** Stored as they are, and not processed yet. None may be overtaken. */
  const unprocessed = new Set<string>()
  /** Stored as messages, and not reported by the driver yet. */
  const stored = new Set<string>()
  return {
    /** For a new connection: what earlier ones have left is read from the store. */
    forget(): void {
      unprocessed.clear()
      stored.clear()
    },
    isAnyWaiting: () => unprocessed.size > 0,
    noteWaiting(arrivals: readonly Arrival[]): void {
      for (const { name } of arrivals) unprocessed.add(name)
    },
    noteProcessed(names: readonly string[]): void {
      for (const name of names) stored.add(name)
    },
    isProcessed: (name: string): boolean => stored.delete(name),
    noteEnded: (name: string): void => void unprocessed.delete(name),
  }
}

const toRead = ({ arrival: { name }, read, started }: Taken): ReadArrival[] =>
  read ? [{ name, read, started }] : []

/** A failure is logged, and the next work is done all the same. */
function createQueue(
  log: Logger,
): Pick<SerialQueue, 'drained'> & { run(work: () => Promise<void>): Promise<void> } {
  const { run, drained } = createSerialQueue()
  return {
    run: (work) =>
      run(work).catch((err: unknown) =>
        log.error({ err }, 'intake: could not read waiting arrivals; retrying at the next connection'),
      ),
    drained,
  }
}

/** Undefined: it refers to another message, and is read again once those before it are stored, because it may need their secret. */
const finalReading = (read: Interpretation | undefined, unstored: number): Interpretation | undefined =>
  unstored > 0 && read?.messages.some(({ target }) => target) ? undefined : read

/** Undefined if it fails or the session is closed: it is then repeated with pauses. */
const interpret = async (
  { session, arrival }: Taken,
  select: NonNullable<Selection['select']>,
  guard: InstanceGuard,
): Promise<Interpretation | undefined> => {
  const open = session()
  if (!open) return undefined
  return guard
    .run([arrival.name], () => open.interpret(arrival.payload))
    .then(select)
    .catch(() => undefined)
}
