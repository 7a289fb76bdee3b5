// The profile of an instance, and its settings.
import type { Deps } from '../context.ts'
import { getSettings, updateSettings } from '../instances/instance-settings.ts'
import type { Handlers } from '../request-handler.ts'
import { getProfile, updateProfile } from './profile.ts'

export const profileHandlers = (
  deps: Pick<Deps, 'store' | 'sessions' | 'clock' | 'checkUrl' | 'readPicture'>,
): Handlers<'getProfile' | 'updateProfile'> => ({
  async getProfile({ caller }, { query }) {
    return { profile: await getProfile(deps, caller, query.instanceName) }
  },
  async updateProfile({ caller }, { query, body }) {
    return { profile: await updateProfile(deps, caller, { ...query, change: body }) }
  },
})

export const settingsHandlers = (
  deps: Pick<Deps, 'store' | 'vault' | 'sessions' | 'clock' | 'checkUrl'>,
): Handlers<'getSettings' | 'updateSettings'> => ({
  async getSettings({ caller }, { query }) {
    return { settings: await getSettings(deps, caller, query.instanceName) }
  },
  async updateSettings({ caller }, { query, body }) {
    return { settings: await updateSettings(deps, caller, { ...query, change: body }) }
  },
})
