// The gateway and browser that all browser tests of this process share.
import { after } from 'node:test'
import { type Dashboard, type StartedDashboard, startDashboard } from './start-dashboard.ts'

export * from './start-dashboard.ts'

let started: Promise<StartedDashboard> | undefined
/** The shared gateway and browser. */
export const dashboard = async (): Promise<Dashboard> => (await (started ??= startDashboard())).dashboard
after(async () => (await started)?.stop())
