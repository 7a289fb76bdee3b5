// The upload of files to send.
import type { Deps } from '../../domain/deps.ts'
import { storeUpload } from '../../domain/uploads.ts'
import type { Handlers } from '../handler.ts'

export const mediaHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'uploads'>): Handlers<'uploadMedia'> => ({
  uploadMedia: async ({ caller }, { query, file }) => storeUpload(deps, caller, { ...query, ...file }),
})
