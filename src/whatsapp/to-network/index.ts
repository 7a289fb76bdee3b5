// Every kind of message that can be sent, and how it becomes a message of the network.
import type { OutgoingKind } from '../../contract/sending.ts'
import type { AlbumMember, ContentOf, OutgoingOf } from '../../network/message.ts'
import { albumToNetwork, inAlbum } from './album.ts'
import { audioToNetwork } from './audio.ts'
import { buttonToNetwork } from './button.ts'
import { carouselToNetwork } from './carousel.ts'
import { contactToNetwork } from './contact.ts'
import { withContext } from './context.ts'
import { ctaToNetwork } from './cta.ts'
import { deleteToNetwork } from './delete.ts'
import { disappearingToNetwork } from './disappearing.ts'
import { documentToNetwork } from './document.ts'
import { editToNetwork } from './edit.ts'
import { eventToNetwork } from './event.ts'
import { forwardToNetwork } from './forward.ts'
import { imageToNetwork } from './image.ts'
import { listToNetwork } from './list.ts'
import { locationToNetwork } from './location.ts'
import type { NetworkMessage, SendFacts } from './network-message.ts'
import { pinToNetwork } from './pin.ts'
import { pixToNetwork } from './pix.ts'
import { pollToNetwork } from './poll.ts'
import { reactionToNetwork } from './reaction.ts'
import { stickerToNetwork } from './sticker.ts'
import { textToNetwork } from './text.ts'
import { videoToNetwork } from './video.ts'

type ToNetwork<K extends OutgoingKind> = (content: ContentOf<K>, facts: SendFacts) => NetworkMessage

const TO_NETWORK: { readonly [K in OutgoingKind]: ToNetwork<K> } = {
  text: textToNetwork,
  image: imageToNetwork,
  video: videoToNetwork,
  document: documentToNetwork,
  audio: audioToNetwork,
  button: buttonToNetwork,
  list: listToNetwork,
  cta: ctaToNetwork,
  carousel: carouselToNetwork,
  pix: pixToNetwork,
  location: locationToNetwork,
  poll: pollToNetwork,
  sticker: stickerToNetwork,
  contact: contactToNetwork,
  event: eventToNetwork,
  album: albumToNetwork,
  reaction: reactionToNetwork,
  edit: editToNetwork,
  delete: deleteToNetwork,
  pin: pinToNetwork,
  disappearing: disappearingToNetwork,
}

/** Ready for `relayMessage(jid, message, { messageId, additionalNodes })`. */
export function toNetwork<K extends OutgoingKind>(
  { kind, content }: OutgoingOf<K>,
  facts: SendFacts,
): NetworkMessage {
  const { forwarded } = facts.context
  const isStored = forwarded !== undefined && forwarded !== 'again'
  const sent = isStored ? forwardToNetwork(forwarded, facts) : TO_NETWORK[kind](content, facts)
  return withContext(
    inAlbum(sent, content as AlbumMember, facts),
    facts,
    'viewOnce' in content && content.viewOnce === true,
  )
}
