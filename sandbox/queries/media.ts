// The query for media hosts (`w:m`): host and token for uploads.
import type { ConnectedClient } from '../network/client.ts'
import { stanza } from '../wire/stanza.ts'
import type { Answer } from './answer.ts'

export function answerMediaHosts({ state, connection }: ConnectedClient): Answer {
  const host = stanza('host', {
    hostname: connection.host,
    maxContentLengthBytes: String(state.media.maxBytes),
  })
  const attributes = { auth: state.media.uploadToken, ttl: '3600', auth_ttl: '21600', max_buckets: '12' }
  return [stanza('media_conn', attributes, [host])]
}
