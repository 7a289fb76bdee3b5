// Queries about keys (`encrypt`): uploads of the client's keys, and requests for the keys of others.
import type { ConnectedClient } from '../network/client.ts'
import { bundleNode, digestNode, takeBundle } from '../network/key-directory.ts'
import { signedForm } from '../network/pairing.ts'
import { writeDevice } from '../store/documents.ts'
import { addPreKeys, countPreKeys, listPreKeys } from '../store/pre-keys.ts'
import { isSignedBy } from '../wire/signatures.ts'
import { child, childBytes, childNumber, children, childrenOf, type Stanza, stanza } from '../wire/stanza.ts'
import { type Answer, QueryError } from './answer.ts'

export function answerKeys(client: ConnectedClient, node: Stanza): Answer {
  const { state, account, device } = client
  const [topic] = children(node)
  switch (topic?.tag) {
    case 'count': {
      const count = countPreKeys(state.database, account.number, device.id)
      return [stanza('count', { value: String(count) })]
    }
    case 'digest':
      return [digestNode(device, listPreKeys(state.database, account.number, device.id))]
    case 'key': {
      const users = childrenOf(topic, 'user').map((user) => user.attrs['jid'] ?? '')
      return [
        stanza(
          'list',
          {},
          users.map((jid) => bundleNode(jid, takeBundle(state, jid))),
        ),
      ]
    }
    case 'rotate':
      replaceSignedPreKey(client, topic)
      return undefined
    default:
      return node.attrs['type'] === 'set' ? upload(client, node) : undefined
  }
}

function upload(client: ConnectedClient, node: Stanza): Answer {
  const { state, account, device } = client
  if (!childBytes(node, 'identity').equals(device.identityKey)) throw new QueryError(406, 'not-acceptable')
  replaceSignedPreKey(client, node)
  const keys = childrenOf(child(node, 'list'), 'key').map((key) => ({
    id: childNumber(key, 'id'),
    value: childBytes(key, 'value'),
  }))
  addPreKeys(state.database, account.number, device.id, keys)
  return undefined
}

/** Accepts a signed pre-key only with a signature of the identity that was paired. */
function replaceSignedPreKey({ state, device }: ConnectedClient, node: Stanza): void {
  const key = child(node, 'skey')
  const value = childBytes(key, 'value')
  const signature = childBytes(key, 'signature')
  if (device.signedPreKey.signature.equals(signature) && device.signedPreKey.value.equals(value)) return
  if (!isSignedBy(device.identityKey, signedForm(value), signature))
    throw new QueryError(406, 'not-acceptable')
  device.signedPreKey = { id: childNumber(key, 'id'), value, signature }
  writeDevice(state.database, device)
}
