// A profile picture that the network has announced, for contract tests.
import { recordPictureChange } from '../../src/contacts/pictures.ts'
import type { Gateway } from '../support/gateway.ts'

export const reportPicture = (
  { store, clock }: Pick<Gateway, 'store' | 'clock'>,
  instanceId: number,
  jid: string,
  change: 'set' | 'removed' = 'set',
): Promise<void> =>
  recordPictureChange({ store, clock: clock.now }, instanceId, { kind: 'picture', jid, change })

/** Removes everything stored about pictures of the instance. */
export async function deleteKnownPictures(
  { store }: Pick<Gateway, 'store'>,
  instanceId: number,
): Promise<void> {
  await store.db.deleteFrom('pictures').where('instance_id', '=', instanceId).execute()
}
