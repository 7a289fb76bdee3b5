/** The query for media hosts (`w:m`): where to upload, and with which token. */
import type { Client } from '../dispatch.ts'
import { stanza } from '../stanza.ts'
import type { Answer } from './queries.ts'

export function answerMediaHosts({ exchange, connection }: Client): Answer {
  const host = stanza('host', {
    hostname: connection.host,
    maxContentLengthBytes: String(exchange.media.maxBytes),
  })
  const attributes = { auth: exchange.media.uploadToken, ttl: '3600', auth_ttl: '21600', max_buckets: '12' }
  return [stanza('media_conn', attributes, [host])]
}
