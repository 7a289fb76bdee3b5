// Requests of a linked device to its phone: older messages of a chat, and messages that the device could not read.
import { proto } from 'baileys'
import { isGroupJid } from '../model/address.ts'
import { accountByJid } from '../model/world.ts'
import type { Delivery } from '../network/delivery.ts'
import type { RoutingState } from '../network/sandbox-state.ts'
import { findMessage, listMessages, type StoredPhoneMessage } from '../store/messages.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { conversation, historyMessage, historyNotification, toOwnDevice } from './history-push.ts'
import type { Phone } from './phone.ts'

const { Type } = proto.Message.ProtocolMessage
const { EndOfHistoryTransferType } = proto.Conversation

/** The largest number of messages in one answer. */
const MAX_MESSAGES = 500

interface Asker {
  device: number
  /** The id of the message that carried the request. The answer names it. */
  requestId: string
}

export async function answerPeerRequest(
  state: RoutingState,
  phone: Phone,
  asker: Asker,
  request: proto.Message.IPeerDataOperationRequestMessage,
): Promise<Delivery[]> {
  const { historySyncOnDemandRequest: history, placeholderMessageResendRequest: placeholders } = request
  const answers: proto.Message.IProtocolMessage[] = []
  if (history) answers.push(...olderMessages(state, phone, asker, history))
  if (placeholders?.length) answers.push(resentMessages(state, phone, asker, placeholders))
  const deliveries: Delivery[] = []
  for (const answer of answers) deliveries.push(...(await toOwnDevice(state, phone, asker.device, answer)))
  return deliveries
}

/** The messages of a chat before the oldest one that the device has, the latest of them first. */
function olderMessages(
  state: StoredWorld,
  phone: Phone,
  { requestId }: Asker,
  { chatJid, oldestMsgId, onDemandMsgCount }: HistoryRequest,
): proto.Message.IProtocolMessage[] {
  const jid = chatJid ?? ''
  const chat = isGroupJid(jid) ? jid : accountByJid(state.world, jid)?.number
  if (chat === undefined) return []
  const { number } = phone.account
  const before = findMessage(state.database, number, oldestMsgId ?? '')?.seq
  const limit = Math.min(onDemandMsgCount ?? MAX_MESSAGES, MAX_MESSAGES)
  // One more than requested shows whether the phone has further messages.
  const found = listMessages(state.database, number, { chat, before, from: 'end', limit: limit + 1 })
  const messages = found.slice(-limit)
  const hasMore = found.length > messages.length
  const history = {
    syncType: proto.HistorySync.HistorySyncType.ON_DEMAND,
    conversations: [
      {
        ...conversation(state, phone, chat, messages),
        endOfHistoryTransfer: !hasMore,
        endOfHistoryTransferType: hasMore
          ? EndOfHistoryTransferType.COMPLETE_ON_DEMAND_SYNC_BUT_MORE_MSG_REMAIN_ON_PRIMARY
          : EndOfHistoryTransferType.COMPLETE_AND_NO_MORE_MESSAGE_REMAIN_ON_PRIMARY,
      },
    ],
  }
  return [historyNotification(history, requestId)]
}

type HistoryRequest = proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest
type PlaceholderRequest = proto.Message.PeerDataOperationRequestMessage.IPlaceholderMessageResendRequest

/** Messages that the phone does not have, and view-once media, are left out of the answer. */
function resentMessages(
  state: StoredWorld,
  phone: Phone,
  { requestId }: Asker,
  requests: PlaceholderRequest[],
): proto.Message.IProtocolMessage {
  const results = requests.flatMap(({ messageKey }) => {
    const message = findMessage(state.database, phone.account.number, messageKey?.id ?? '')
    if (!message || message.viewOnce) return []
    return {
      placeholderMessageResendResponse: { webMessageInfoBytes: encodeFor(state, message, messageKey) },
    }
  })
  return {
    type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
    peerDataOperationRequestResponseMessage: {
      peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
      stanzaId: requestId,
      peerDataOperationResult: results,
    },
  }
}

function encodeFor(
  { world }: StoredWorld,
  message: StoredPhoneMessage,
  key: proto.IMessageKey | null | undefined,
): Uint8Array {
  return proto.WebMessageInfo.encode(historyMessage(world, message, key?.remoteJid ?? message.chat)).finish()
}
