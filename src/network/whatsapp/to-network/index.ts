// Every kind of message that can be sent, and how it becomes a message of the network.
import type { MessageKind } from '../../../contract/sending.ts'
import type { ContentOf, OutgoingOf } from '../../message.ts'
import { audioToNetwork } from './audio.ts'
import { buttonToNetwork } from './button.ts'
import { carouselToNetwork } from './carousel.ts'
import { ctaToNetwork } from './cta.ts'
import { documentToNetwork } from './document.ts'
import { imageToNetwork } from './image.ts'
import { listToNetwork } from './list.ts'
import { locationToNetwork } from './location.ts'
import type { NetworkMessage, SendFacts } from './network-message.ts'
import { pollToNetwork } from './poll.ts'
import { textToNetwork } from './text.ts'
import { videoToNetwork } from './video.ts'

type ToNetwork<K extends MessageKind> = (content: ContentOf<K>, facts: SendFacts) => NetworkMessage

const TO_NETWORK: { readonly [K in MessageKind]: ToNetwork<K> } = {
  text: textToNetwork,
  image: imageToNetwork,
  video: videoToNetwork,
  document: documentToNetwork,
  audio: audioToNetwork,
  button: buttonToNetwork,
  list: listToNetwork,
  cta: ctaToNetwork,
  carousel: carouselToNetwork,
  location: locationToNetwork,
  poll: pollToNetwork,
}

/** Ready for `relayMessage(jid, message, { messageId, additionalNodes })`. */
export const toNetwork = <K extends MessageKind>(
  { kind, content }: OutgoingOf<K>,
  facts: SendFacts,
): NetworkMessage => TO_NETWORK[kind](content, facts)
