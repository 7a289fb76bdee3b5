// An event from the network, and the answer of a guest: encrypted with the secret of the event.
import { proto } from 'baileys'
import type { JsonObject } from '../../network/message.ts'
import { openWithSecret } from './originals.ts'
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { numberOf, present, textOrNull, timeOrNull } from './wire-values.ts'

export const readEvent: ReadKind = ({ eventMessage }) => {
  if (!eventMessage) return null
  const { name, description, startTime, endTime, location, joinLink, isCanceled, contextInfo } = eventMessage
  return {
    type: 'event',
    text: textOrNull(name),
    content: {
      name: textOrNull(name),
      description: textOrNull(description),
      startsAt: timeOrNull(startTime),
      endsAt: timeOrNull(endTime),
      place: textOrNull(location?.name) ?? textOrNull(location?.address),
      canceled: isCanceled === true,
      ...coordinates(location),
      ...present({ callLink: textOrNull(joinLink) }),
    },
    contextInfo,
  }
}

/** The wire format does not distinguish missing coordinates from 0, 0. */
function coordinates(location: proto.Message.ILocationMessage | null | undefined): JsonObject {
  const latitude = numberOf(location?.degreesLatitude) ?? 0
  const longitude = numberOf(location?.degreesLongitude) ?? 0
  return latitude === 0 && longitude === 0 ? {} : { latitude, longitude }
}

const { EventResponseType } = proto.Message.EventResponseMessage
const ANSWERS = new Map<unknown, string>([
  [EventResponseType.GOING, 'going'],
  [EventResponseType.NOT_GOING, 'not_going'],
  [EventResponseType.MAYBE, 'maybe'],
])
/** Apps offer a few; a stranger could claim any number. */
const MAX_GUESTS = 1000

/** Null, also for an answer that cannot be decrypted: it is then reported as unsupported content. */
export const readEventAnswer: ReadKind = ({ encEventResponseMessage }, facts) => {
  const key = encEventResponseMessage?.eventCreationMessageKey
  const type = proto.Message.EventResponseMessage
  const sealed = { use: 'Event Response', type, encrypted: encEventResponseMessage, key } as const
  const response = openWithSecret<proto.Message.IEventResponseMessage>(sealed, facts)?.content
  const answer = ANSWERS.get(response?.response)
  if (!response || answer === undefined) return null
  const guests = numberOf(response.extraGuestCount) ?? 0
  return {
    type: 'event_answer',
    text: null,
    target: claimedTarget(key, facts.resolve, 'senders'),
    content: {
      targetMessageId: key?.id ?? '',
      answer,
      extraGuests: Math.min(Math.max(0, guests), MAX_GUESTS),
    },
  }
}
