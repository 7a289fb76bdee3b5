// For sessions without an intake: every arrival is stored as it is.
import type { EarlyReader } from '../../src/receiving/early-reader.ts'

const nothing = (): void => undefined

export const lateReader: EarlyReader = {
  read: async (others) => ({ reports: [], others, noteStored: nothing, noteRefused: nothing }),
}
