// Number checks.
import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import * as numbers from './numbers.ts'

export const numberHandlers = (
  deps: Pick<Deps, 'store' | 'sessions' | 'clock'>,
): Handlers<'checkNumber' | 'checkNumbers'> => ({
  async checkNumbers({ caller }, { query }) {
    const found = await numbers.checkNumbers(deps, caller, query)
    return { count: found.length, numbers: found }
  },
  async checkNumber({ caller }, { query }) {
    // The schema accepts exactly one of each pair.
    const instanceName = query.instanceName ?? query.instance ?? ''
    const number = query.number ?? query.phone ?? ''
    const { exists, jid, instance } = await numbers.checkNumber(deps, caller, { instanceName, number })
    return { status: 'success', data: { exists, jid, number, instance } }
  },
})
