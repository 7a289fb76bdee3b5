// The pause between two reads of a test that waits for a state. A read costs the gateway as much as a request of a user, so a test that
// has waited for a while reads less often.
import { setTimeout as pause } from 'node:timers/promises'

const SHORTEST_MS = 10
const LONGEST_MS = 60

/** `waitedMs`: since the first read. */
export const pollPause = (waitedMs: number): Promise<void> =>
  pause(Math.min(SHORTEST_MS + waitedMs / 10, LONGEST_MS))
