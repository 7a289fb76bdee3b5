// Saves a changed group and notifies devices of the change.
import type { Account, AccountDevice, Group } from '../model/world.ts'
import { writeGroup } from '../store/documents.ts'
import { newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import { groupAttributes, groupDevices } from './routing.ts'
import type { WorldChangeState } from './sandbox-state.ts'

/** By default the notice goes to every device of every member. */
export async function announce(
  state: WorldChangeState,
  group: Group,
  actor: Account,
  notice: Stanza,
  audience: AccountDevice[] = groupDevices(state.world, group),
): Promise<void> {
  writeGroup(state.database, group)
  const owners = audience.map(({ account }) => account.owner)
  state.changes.record({ about: 'world' }, [group.owner, ...owners])
  const attributes = {
    ...groupAttributes({ account: actor, device: 0 }, group),
    type: 'w:gp2',
    notify: actor.name,
    t: nowSeconds(),
  }
  const deliveries = audience.map(({ account, device }) =>
    enqueue(
      state.database,
      account,
      device,
      stanza('notification', { ...attributes, id: newStanzaId() }, [notice]),
    ),
  )
  await deliver(state, deliveries)
}
