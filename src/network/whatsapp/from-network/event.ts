// An event from the network.
import type { proto } from 'baileys'
import type { JsonObject } from '../../message.ts'
import type { ReadKind } from './reading.ts'
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
