// Ids of instances by their API name, remembered: a send then costs one trip to the store instead of two.
import type { Deps } from './deps.ts'
import { requireInstance } from './instances.ts'

const MAX_REMEMBERED = 10_000

/**
 * The id of an account's instance; refuses as `requireInstance` does. Name, id and owner of an instance never change, so
 * what is remembered stays true. Whether the instance still lives is for the store to say when it accepts the send.
 */
export type InstanceIds = (accountId: number, apiName: string) => Promise<number>

export function createInstanceIds(deps: Pick<Deps, 'store'>): InstanceIds {
  const remembered = new Map<string, number>()
  return async (accountId, apiName) => {
    const name = `${accountId}:${apiName}`
    const known = remembered.get(name)
    if (known !== undefined) return known
    const { id } = await requireInstance(deps, accountId, apiName)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(name, id)
    return id
  }
}
