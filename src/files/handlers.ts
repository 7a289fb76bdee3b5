// The upload of files to send.
import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import { storeUpload } from './uploads.ts'

export const mediaHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'uploads'>) =>
  ({
    uploadMedia: async ({ caller }, { query, file }) => storeUpload(deps, caller, { ...query, ...file }),
  }) satisfies Partial<Handlers>
