// The upload of files to send.
import type { Deps } from '../domain/deps.ts'
import type { Handlers } from '../http/handler.ts'
import { storeUpload } from './uploads.ts'

export const mediaHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'uploads'>): Handlers<'uploadMedia'> => ({
  uploadMedia: async ({ caller }, { query, file }) => storeUpload(deps, caller, { ...query, ...file }),
})
