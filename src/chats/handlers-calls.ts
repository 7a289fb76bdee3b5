// Phone calls.

import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import { rejectCall } from './calls.ts'

export const callHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'sessions'>): Handlers<'rejectCall'> => ({
  async rejectCall({ caller }, { params, query }) {
    return { call: await rejectCall(deps, caller, { ...params, ...query }) }
  },
})
