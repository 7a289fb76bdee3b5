// Messages between the devices of one account: never shown, and dropped when they come from others.
import { proto } from 'baileys'
import { unwrap } from './unwrap.ts'

const { Type } = proto.Message.ProtocolMessage

/** From the account's own phone these change keys, history and identifiers. From others they are an attack. */
const SELF_ONLY: ReadonlySet<proto.Message.ProtocolMessage.Type> = new Set([
  Type.HISTORY_SYNC_NOTIFICATION,
  Type.APP_STATE_SYNC_KEY_SHARE,
  Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
  Type.LID_MIGRATION_MAPPING_SYNC,
])

/** All messages between devices of the account that are not shown. */
const SILENT: ReadonlySet<proto.Message.ProtocolMessage.Type> = new Set([
  ...SELF_ONLY,
  Type.APP_STATE_SYNC_KEY_REQUEST,
  Type.APP_STATE_FATAL_EXCEPTION_NOTIFICATION,
  Type.INITIAL_SECURITY_NOTIFICATION_SETTING_SYNC,
  Type.MSG_FANOUT_BACKFILL_REQUEST,
  Type.PEER_DATA_OPERATION_REQUEST_MESSAGE,
])

export const isBetweenOwnDevices = (content: proto.IMessage): boolean => {
  const type = content.protocolMessage?.type
  return type !== null && type !== undefined && SILENT.has(type)
}

/** Must be dropped before anything is done with it (CVE-2026-48063). Checks the innermost content. */
export function isSpoofedSelfMessage(message: proto.IMessage, { fromMe }: { fromMe: boolean }): boolean {
  const type = unwrap(message).content.protocolMessage?.type
  return !fromMe && type !== null && type !== undefined && SELF_ONLY.has(type)
}
