// The file of a sent message, as its stored payload describes it.
import type { ReceivedMedia } from '../../network/message.ts'
import { readAudio } from '../from-network/audio.ts'
import { readDocument } from '../from-network/document.ts'
import { readImage } from '../from-network/image.ts'
import type { ReadingFacts } from '../from-network/reading.ts'
import { readSticker } from '../from-network/sticker.ts'
import { unwrap } from '../from-network/unwrap.ts'
import { readVideo } from '../from-network/video.ts'
import { decodePayload } from './payload.ts'

type Content = ReturnType<typeof unwrap>['content']

const KINDS = [readImage, readVideo, readDocument, readAudio, readSticker]

/** They read the content alone. */
const NO_FACTS = {} as ReadingFacts

/** Null: the message has no file. */
export function sentMedia(payload: Uint8Array): ReceivedMedia | null {
  const { content } = unwrap(decodePayload(payload).message)
  return fileOf(content) ?? fileAboveButtons(content)
}

function fileAboveButtons({ interactiveMessage }: Content): ReceivedMedia | null {
  const {
    imageMessage = null,
    videoMessage = null,
    documentMessage = null,
  } = interactiveMessage?.header ?? {}
  return fileOf({ imageMessage, videoMessage, documentMessage })
}

function fileOf(content: Content): ReceivedMedia | null {
  for (const read of KINDS) {
    const media = read(content, NO_FACTS)?.media
    if (media) return media
  }
  return null
}
