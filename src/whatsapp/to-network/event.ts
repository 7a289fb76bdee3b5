// An event to the network. Answers of guests come back encrypted with the message's secret.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000)

export function eventToNetwork(content: ContentOf<'event'>, facts: SendFacts): NetworkMessage {
  const { name, description, startsAt, endsAt } = content
  const eventMessage = {
    name,
    startTime: seconds(startsAt),
    isCanceled: false,
    ...(description !== undefined && { description }),
    ...(endsAt !== undefined && { endTime: seconds(endsAt) }),
    ...placeFields(content),
    ...(facts.callLink !== undefined && { joinLink: facts.callLink, isScheduleCall: true }),
  }
  return networkMessage({ eventMessage }, facts, [{ tag: 'meta', attrs: { event_type: 'creation' } }])
}

/** Phones show the name of the place, and a map for coordinates. */
function placeFields({ place, latitude, longitude }: ContentOf<'event'>) {
  if (place === undefined && latitude === undefined) return {}
  const location = {
    ...(place !== undefined && { name: place }),
    ...(latitude !== undefined && { degreesLatitude: latitude, degreesLongitude: longitude ?? 0 }),
  }
  return { location }
}
