// Received messages that were read before they were stored: the keys that decrypted them, and what they say, in one commit.

import type { SessionWrite } from '../instances/session-store.ts'
import type { NetworkReport } from './report-store.ts'

export interface ReceivedWrite extends SessionWrite {
  /** What the messages say. Their arrivals are not stored. */
  reports: readonly NetworkReport[]
}
