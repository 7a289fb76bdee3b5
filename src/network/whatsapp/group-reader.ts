// Reads one group from the network, and reports it so that the stored group stays current.
import { createHash } from 'node:crypto'
import type { GroupMetadata, WASocket } from 'baileys'
import { NetworkError, type NetworkEvent } from '../network.ts'
import type { AuthState } from './auth-state.ts'
import { toNetworkGroup } from './groups.ts'
import { toGroupError } from './refusals.ts'

/** Rejects with `not_a_group_member` if the group does not exist or the account is not in it. */
export type GroupReader = (jid: string, reporting?: 'always_report') => Promise<GroupMetadata>

export function createGroupReader(
  socket: () => Pick<WASocket, 'groupMetadata'>,
  { creds }: Pick<AuthState, 'creds'>,
  report: (event: NetworkEvent) => Promise<void>,
): GroupReader {
  /** A digest of each group as last reported. A group is read for each message to it, and rarely changes. */
  const reported = new Map<string, string>()

  return async (jid, reporting) => {
    try {
      const read = await socket().groupMetadata(jid)
      const group = toNetworkGroup(read, creds.me)
      const digest = createHash('sha1').update(JSON.stringify(group)).digest('base64')
      const isNews = reporting !== undefined || reported.get(jid) !== digest
      if (isNews) await report({ kind: 'groups', groups: [group] })
      reported.set(jid, digest)
      return read
    } catch (error) {
      const sorted = toGroupError(error)
      if (sorted instanceof NetworkError && sorted.kind === 'not_a_group_member') {
        reported.delete(jid)
        await report({ kind: 'left_group', jid })
      }
      throw sorted
    }
  }
}
