// Labels of the owner's account. A change is made on the network first. The session reports it before it answers, so that the stored label
// is current when the use case reads it.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import { MAX_LABELS } from '../contract/chat-fields.ts'
import type * as contract from '../contract/labels.ts'
import { GatewayError } from '../errors.ts'
import { requireInstance, requireOpenInstance, toReference } from '../instances/instances.ts'
import { lockInstance } from '../store/locks.ts'
import type { Db } from '../store/tables.ts'
import { requireChat, storedChat } from './chats.ts'
import * as rows from './label-queries.ts'
import { chatOf, type GivenAddress } from './rules.ts'
import { freeColor, nextLabelId } from './rules-new-label.ts'

type LabelDeps = Pick<Deps, 'store' | 'clock' | 'sessions'>
type Label = z.output<typeof contract.Label>

const toLabel = ({ label_id: id, name, color, chats }: rows.LabelRow): Label => ({ id, name, color, chats })

export async function listLabels({ store }: Pick<Deps, 'store'>, caller: Caller, instanceName: string) {
  const instance = await requireInstance({ store }, caller.account.id, instanceName)
  const found = await rows.listLabels(store.db, instance.id)
  return { instance: toReference(instance), labels: found.map(toLabel) }
}

export async function createLabel(
  deps: LabelDeps,
  caller: Caller,
  { instanceName, name, color }: z.output<typeof contract.createLabel.body>,
): Promise<Label> {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const reserved = await reserveLabel(deps, instance.id, { name, color })
  await deps.sessions.saveLabel(instance.id, { ...reserved, predefinedId: null, deleted: false })
  return toLabel(await requireLabel(deps.store.db, instance.id, reserved.labelId))
}

/** Stores the new label as a deleted one, so that no other request takes its id while the network creates it. */
function reserveLabel(
  { store, clock }: LabelDeps,
  instanceId: number,
  { name, color: given }: { name: string; color: number | undefined },
) {
  return store.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    const known = await rows.listAllLabels(tx, instanceId)
    if (known.filter(({ deleted }) => deleted === 0).length >= MAX_LABELS)
      throw new GatewayError('labels_full')
    const [labelId, color] = [nextLabelId(known), given ?? freeColor(known)]
    await rows.saveLabel(tx, {
      instance_id: instanceId,
      label_id: labelId,
      name,
      color,
      predefined_id: null,
      deleted: 1,
      updated_at: clock(),
    })
    return { labelId, name, color }
  })
}

export async function updateLabel(
  deps: LabelDeps,
  caller: Caller,
  labelId: string,
  { instanceName, name, color }: z.output<typeof contract.updateLabel.body>,
): Promise<Label> {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const label = await requireLabel(deps.store.db, instance.id, labelId)
  const changed = { name: name ?? label.name, color: color ?? label.color }
  const { predefined_id: predefinedId } = label
  await deps.sessions.saveLabel(instance.id, { labelId, ...changed, predefinedId, deleted: false })
  return toLabel(await requireLabel(deps.store.db, instance.id, labelId))
}

export async function deleteLabel(
  deps: LabelDeps,
  caller: Caller,
  labelId: string,
  instanceName: string,
): Promise<void> {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const { name, color, predefined_id: predefinedId } = await requireLabel(deps.store.db, instance.id, labelId)
  await deps.sessions.saveLabel(instance.id, { labelId, name, color, predefinedId, deleted: true })
}

/** Gives the label to the chat, or takes it away. */
export async function labelChat(
  deps: LabelDeps,
  caller: Caller,
  {
    instanceName,
    labelId,
    labeled,
    ...address
  }: { instanceName: string; labelId: string; labeled: boolean } & GivenAddress,
) {
  const { db } = deps.store
  const instance = await requireOpenInstance(deps, caller, instanceName)
  await requireLabel(db, instance.id, labelId)
  const { jid } = await requireChat(db, caller, instance, chatOf(address))
  await deps.sessions.labelChat(instance.id, jid, labelId, labeled)
  return storedChat(deps, caller, instance, jid)
}

async function requireLabel(db: Db, instanceId: number, labelId: string): Promise<rows.LabelRow> {
  const label = await rows.findLabel(db, instanceId, labelId)
  if (!label) throw new GatewayError('label_not_found')
  return label
}
