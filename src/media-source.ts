// Where the driver gets the files of messages from: the guarded client, whose refusals end the message.
import { createReadStream } from 'node:fs'
import { MediaError } from './delivery/deliver.ts'
import type { MediaSource } from './network/network.ts'
import type { Outbound } from './outbound/client.ts'

export const createMediaSource =
  (outbound: Pick<Outbound, 'download'>): MediaSource =>
  async (request) => {
    const file = await outbound.download(request)
    if ('failed' in file) throw new MediaError(file.failed, file.message)
    return { stream: createReadStream(file.path), mimetype: file.mimetype, release: file.release }
  }
