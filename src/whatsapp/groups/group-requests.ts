// The running requests for groups. A group can change while a request for it is under way.
import type { GroupMetadata } from '../library/protocol.ts'

/** Stands for all groups. */
export const EVERY_GROUP = '*'

export interface GroupRequests {
  /** Runs a request. `use` gets the answer, and the groups that changed during the request: the change may be missing in it. */
  run<T, R>(
    ask: () => Promise<T>,
    use: (answer: T, changed: ReadonlySet<string>) => R | Promise<R>,
  ): Promise<R>
  /** Joins the running read of the group, if there is one that is still current. */
  share(jid: string, read: () => Promise<GroupMetadata>): Promise<GroupMetadata>
  /** The group has changed: the answers of running requests may be older. */
  outdate(jid: string): void
}

export const isOutdated = (jid: string, changed: ReadonlySet<string>): boolean =>
  changed.has(jid) || changed.has(EVERY_GROUP)

export function createGroupRequests(): GroupRequests {
  /** Per running request, the groups that changed since it started. */
  const running = new Set<Set<string>>()
  const reads = new Map<string, Promise<GroupMetadata>>()
  return {
    async run(ask, use) {
      const changed = new Set<string>()
      running.add(changed)
      const answer = await ask().finally(() => running.delete(changed))
      return use(answer, changed)
    },
    share(jid, read) {
      const known = reads.get(jid)
      if (known) return known
      const started = read().finally(() => {
        if (reads.get(jid) === started) reads.delete(jid)
      })
      reads.set(jid, started)
      return started
    },
    outdate(jid) {
      if (jid === EVERY_GROUP) reads.clear()
      else reads.delete(jid)
      for (const changed of running) changed.add(jid)
    },
  }
}
