// A carousel to the network: cards, each with its own picture and reply buttons.
import type { ContentOf } from '../../network/message.ts'
import { flowNodes, frame, nativeFlow, replyButton } from './native-flow.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'
import { fileFields, pictureFields, type UploadedMedia } from './uploaded-media.ts'

type Card = ContentOf<'carousel'>['interactive']['cards'][number]

export function carouselToNetwork({ interactive }: ContentOf<'carousel'>, facts: SendFacts): NetworkMessage {
  const { cards, body } = interactive
  if (facts.media.length > cards.length) throw new Error('a carousel needs one uploaded picture a card')
  const interactiveMessage = {
    ...frame({ body }),
    carouselMessage: {
      messageVersion: 1,
      cards: cards.map((each, position) => card(each, facts.media[position])),
    },
  }
  return networkMessage({ interactiveMessage }, facts, flowNodes(facts.nowMs))
}

function card({ body, buttons }: Card, media: UploadedMedia | undefined) {
  if (!media) throw new Error('a carousel needs one uploaded picture a card')
  return {
    ...frame({ body }),
    header: {
      hasMediaAttachment: true,
      imageMessage: { ...fileFields(media), ...pictureFields(media), mimetype: media.mimetype },
    },
    nativeFlowMessage: nativeFlow(buttons.map(replyButton)),
  }
}
