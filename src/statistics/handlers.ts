// Statistics of an account and of the gateway.
import type { Deps } from '../context.ts'
import type { Handlers } from '../request-handler.ts'
import { readAllStatistics, readStatistics } from './statistics.ts'

export interface StatisticsDeps {
  countLog: { flush(): Promise<void> }
}

export const statisticsHandlers = (deps: StatisticsDeps & Pick<Deps, 'store' | 'clock'>) =>
  ({
    async getStatistics({ caller }, { query }) {
      // What this process has done before is counted.
      await deps.countLog.flush()
      return readStatistics(deps, caller, query)
    },
    async adminGetStatistics(_context, { query }) {
      await deps.countLog.flush()
      return readAllStatistics(deps, query)
    },
  }) satisfies Partial<Handlers>
