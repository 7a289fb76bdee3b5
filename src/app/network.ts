// The network service: starts and stops the network driver, the sessions on it, and the workers that send.

import { markReadOnReply } from '../chats/mark-read.ts'
import type { AcceptedKind } from '../context.ts'
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { type EntryName, entryName } from '../kernel/async/entry-name.ts'
import type { WakeLoop } from '../kernel/async/wake-loop.ts'
import type { LiveSessions } from '../network/network.ts'
import type { SandboxLink } from '../network/sandbox-link.ts'
import type { SendWorkerDeps } from '../sending/lane-run.ts'
import { makeLanesDue } from '../sending/queue-queries.ts'
import { startScheduler } from '../sending/scheduler.ts'
import { type SendWorker, startSendWorker } from '../sending/worker.ts'
import type { OwnedSessions, Sessions } from '../sessions/sessions.ts'
import type { OpenCrashWatch } from './crash-watch.ts'
import type { Driver } from './driver.ts'

/** Instances are created and deleted while the process runs, so the number of entries is bounded. */
const MAX_WAKE_COUNTS = 10_000

export interface NetworkService {
  /** The sessions of this process. */
  sessions: LiveSessions
  /** With several nodes: the instances that this one serves. */
  owned: OwnedSessions
  /** Only with `NETWORK=sandbox`. */
  sandbox: SandboxLink | undefined
  /** Makes the send worker and the scheduler look for messages at once. */
  /** Absent: it is not known what was accepted. */
  wakeSending(accepted?: AcceptedKind): void
  /** Resumes the sessions, all or those that this node takes later, and starts sending. */
  start(instances: 'all' | 'none'): Promise<void>
  stopSending(): Promise<void>
  /** Stops the sandbox network, if this process started it. */
  stop(): Promise<void>
}

export interface NetworkServiceParts {
  driver: Driver
  crashWatch: OpenCrashWatch
  sessions: Sessions
  media: { close(): Promise<void> }
  outbox: Outbox
}

export const createNetworkService = ({
  driver,
  crashWatch,
  sessions,
  media,
  outbox,
}: NetworkServiceParts): NetworkService => ({
  sessions,
  owned: sessions.owned,
  sandbox: driver.sandbox,
  wakeSending: outbox.wake,
  async start(instances) {
    await driver.start()
    // Sessions first: until they are resumed, the store still has the states of the previous run, and the worker would try
    // sends that cannot succeed.
    await sessions.resume(instances)
    outbox.start()
  },
  stopSending: outbox.stop,
  async stop() {
    crashWatch.marks.close()
    await media.close()
    await driver.stop()
  },
})

/** For tests: sessions without a network. */
export const withoutNetwork = (sessions: LiveSessions): NetworkService => ({
  sessions,
  owned: {
    take: async () => 0,
    takeOne: async () => true,
    release: async () => 0,
    count: () => ({ sessions: 0, waitingHandshakes: 0 }),
  },
  sandbox: undefined,
  wakeSending: () => undefined,
  start: async () => undefined,
  stopSending: async () => undefined,
  stop: async () => undefined,
})

/** The workers that send: due messages, and scheduled ones when their time has come. */
export interface Outbox {
  /** Can be repeated. */
  start(): void
  /** As `wakeSending` of the service. */
  wake(accepted?: AcceptedKind): void
  /** The session of the instance is open: its lanes are due. */
  resumeSending(instanceId: number): void
  stop(): Promise<void>
}

export interface OutboxParts
  extends Omit<SendWorkerDeps, 'openSession' | 'onRestricted' | 'onSent' | 'wakeCount'> {
  sessions: Pick<Sessions, 'openSession' | 'refreshRestriction' | 'settingsOf' | 'markRead'>
}

export function createOutbox({ sessions, ...parts }: OutboxParts): Outbox {
  const { store, clock, logger, trace, nodeId, maxSleepMs } = parts
  const wakeCounts = createWakeCounts()
  let workers: { sender: SendWorker; scheduler: WakeLoop } | undefined
  /**
   * The scheduler keeps times alone: most messages have none, and its queries would be in vain. The sender is not woken for what the
   * commit that accepted it has claimed.
   */
  const wake = (accepted: AcceptedKind = 'timed') => {
    if (accepted === 'timed' || !store.offerClaim) workers?.sender.wake()
    if (accepted === 'timed') workers?.scheduler.wake()
  }
  return {
    wake,
    start() {
      if (workers) return
      const sender = startSendWorker({
        ...parts,
        openSession: sessions.openSession,
        onRestricted: sessions.refreshRestriction,
        onSent: (instanceId, chat) => readOnReply(parts, sessions, instanceId, chat),
        wakeCount: wakeCounts.of,
      })
      const scheduler = startScheduler({
        store,
        clock,
        logger,
        trace,
        nodeId,
        maxSleepMs,
        onQueued: sender.wake,
      })
      workers = { sender, scheduler }
    },
    resumeSending(instanceId) {
      wakeCounts.increase(instanceId)
      void makeLanesDue(store, instanceId, clock())
        .catch((err: unknown) => logger.warn({ err }, 'could not reschedule waiting sends'))
        .then(() => wake())
    },
    async stop() {
      // The scheduler first: it queues messages for the sender.
      await workers?.scheduler.stop()
      await workers?.sender.stop()
    },
  }
}

/** Never rejects: the message is sent in any case. */
async function readOnReply(
  deps: Pick<OutboxParts, 'store' | 'clock' | 'logger'>,
  sessions: Pick<Sessions, 'settingsOf' | 'markRead'>,
  instanceId: number,
  chat: string,
): Promise<void> {
  if (!sessions.settingsOf(instanceId)?.readOnReply) return
  await markReadOnReply({ ...deps, sessions }, instanceId, chat).catch((err: unknown) =>
    deps.logger.warn({ err, instanceId }, 'send worker: chat not marked as read after a reply'),
  )
}

/** By instance: a number that grows with every opened session and never repeats. Dropping an entry costs one extra poll. */
function createWakeCounts() {
  const counts = createBoundedMap<EntryName<'instance'>, number>(MAX_WAKE_COUNTS)
  let last = 0
  return {
    of: (instanceId: number): number => counts.get(entryName('instance', instanceId)) ?? 0,
    increase(instanceId: number): void {
      last += 1
      counts.set(entryName('instance', instanceId), last)
    },
  }
}
