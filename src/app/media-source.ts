// Downloads the files of outgoing messages through the outbound client. A failed download fails the message.
import { createReadStream } from 'node:fs'
import type { Outbound } from '../outbound/client.ts'
import { MediaError, type MediaOf } from '../workers/send/send-one.ts'

export const createMediaSource =
  (outbound: Pick<Outbound, 'download'>): MediaOf =>
  (accountId) =>
  async (request) => {
    const file = await outbound.download({ ...request, accountId })
    if ('failed' in file) throw new MediaError(file.failed, file.message)
    return { stream: createReadStream(file.path), mimetype: file.mimetype, release: file.release }
  }
