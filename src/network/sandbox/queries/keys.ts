/** Queries about keys (`encrypt`): uploading one's own, fetching those of others. */
import type { Client } from '../dispatch.ts'
import { bundleNode, depositPreKeys, takeBundle } from '../key-directory.ts'
import { signedForm } from '../pairing.ts'
import { isSignedBy } from '../signatures.ts'
import { child, childBytes, childNumber, children, childrenOf, type Stanza, stanza } from '../stanza.ts'
import { writeDevice } from '../store/documents.ts'
import { countPreKeys } from '../store/pre-keys.ts'
import type { Answer } from './queries.ts'
import { QueryError } from './query-error.ts'

export function answerKeys(client: Client, node: Stanza): Answer {
  const { exchange, account, device } = client
  const [topic] = children(node)
  switch (topic?.tag) {
    case 'count': {
      const count = countPreKeys(exchange.database, account.number, device.id)
      return [stanza('count', { value: String(count) })]
    }
    case 'digest':
      return [stanza('digest')]
    case 'key': {
      const users = childrenOf(topic, 'user').map((user) => user.attrs['jid'] ?? '')
      return [
        stanza(
          'list',
          {},
          users.map((jid) => bundleNode(jid, takeBundle(exchange, jid))),
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

function upload(client: Client, node: Stanza): Answer {
  const { exchange, account, device } = client
  if (!childBytes(node, 'identity').equals(device.identityKey)) throw new QueryError(406, 'not-acceptable')
  replaceSignedPreKey(client, node)
  const keys = childrenOf(child(node, 'list'), 'key').map((key) => ({
    id: childNumber(key, 'id'),
    value: childBytes(key, 'value'),
  }))
  depositPreKeys(exchange, account, device.id, keys)
  return undefined
}

/** A signed pre-key counts only with the signature of the identity that was paired. */
function replaceSignedPreKey({ exchange, device }: Client, node: Stanza): void {
  const key = child(node, 'skey')
  const value = childBytes(key, 'value')
  const signature = childBytes(key, 'signature')
  if (device.signedPreKey.signature.equals(signature) && device.signedPreKey.value.equals(value)) return
  if (!isSignedBy(device.identityKey, signedForm(value), signature))
    throw new QueryError(406, 'not-acceptable')
  device.signedPreKey = { id: childNumber(key, 'id'), value, signature }
  writeDevice(exchange.database, device)
}
