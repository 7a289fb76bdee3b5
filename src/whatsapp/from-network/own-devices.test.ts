import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import { envelope, overTheWire, receiveFacts } from '../../../test/support/wire-messages.ts'
import { fromNetwork } from './index.ts'
import { isSpoofedSelfMessage } from './own-devices.ts'

const { Type } = proto.Message.ProtocolMessage
const KINDS: Record<string, proto.Message.IProtocolMessage> = {
  'history notification': {
    type: Type.HISTORY_SYNC_NOTIFICATION,
    historySyncNotification: { syncType: proto.HistorySync.HistorySyncType.RECENT },
  },
  'share of app state keys': {
    type: Type.APP_STATE_SYNC_KEY_SHARE,
    appStateSyncKeyShare: { keys: [{ keyId: { keyId: new Uint8Array([1]) } }] },
  },
  'answer from our phone': {
    type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
    peerDataOperationRequestResponseMessage: { stanzaId: 'X' },
  },
  'mapping of hidden identifiers': {
    type: Type.LID_MIGRATION_MAPPING_SYNC,
    lidMigrationMappingSyncMessage: { encodedMappingPayload: new Uint8Array([1]) },
  },
}
const WRAPPINGS: Record<string, (message: proto.IMessage) => proto.IMessage> = {
  bare: (message) => message,
  disappearing: (message) => ({ ephemeralMessage: { message } }),
  'as if from another device of ours': (message) => ({ deviceSentMessage: { message } }),
  'wrapped twice': (message) => ({ ephemeralMessage: { message: { viewOnceMessageV2: { message } } } }),
  'in a wrapping that the library does not open': (message) => ({ botInvokeMessage: { message } }),
}

describe('messages that only our own devices may send', () => {
  for (const [kind, protocolMessage] of Object.entries(KINDS)) {
    for (const [how, wrap] of Object.entries(WRAPPINGS)) {
      const message = overTheWire(wrap({ protocolMessage }))

      test(`${kind}, ${how}: spoofed when another person sends it, and never a message`, () => {
        assert.equal(isSpoofedSelfMessage(message, { fromMe: false }), true)
        assert.equal(isSpoofedSelfMessage(message, { fromMe: true }), false)
        for (const fromMe of [true, false]) {
          assert.equal(fromNetwork(envelope({ fromMe }), message, receiveFacts()), null)
        }
      })
    }
  }

  test('what others may send is not taken for a spoof', () => {
    const others: proto.IMessage[] = [
      { conversation: 'hi' },
      { protocolMessage: { type: Type.REVOKE, key: { id: 'X' } } },
      { protocolMessage: { type: Type.MESSAGE_EDIT, key: { id: 'X' } } },
      { protocolMessage: { type: Type.EPHEMERAL_SETTING } },
      { protocolMessage: {} },
      {},
    ]
    for (const message of others) {
      assert.equal(isSpoofedSelfMessage(overTheWire(message), { fromMe: false }), false)
    }
  })
})
