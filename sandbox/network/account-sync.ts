// Notices about settings of an account (`account_sync`), which its linked devices get when another device changes them.
import { pnJid } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import { newStanzaId, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { deliver, enqueue } from './delivery.ts'
import type { DeliveryState } from './sandbox-state.ts'

/** The device that made the change gets no notice. The phone has the number 0. */
export async function syncAccount(
  state: DeliveryState,
  account: Account,
  change: Stanza,
  author: number,
): Promise<void> {
  const deliveries = [...account.devices.keys()]
    .filter((device) => device !== author)
    .map((device) => {
      const attributes = { from: pnJid(account), type: 'account_sync', id: newStanzaId(), t: nowSeconds() }
      return enqueue(state.database, account, device, stanza('notification', attributes, [change]))
    })
  await deliver(state, deliveries)
}
