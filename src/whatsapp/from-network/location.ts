// A location from the network, fixed or moving.
import type { ReadKind } from './reading.ts'
import { countOf, numberOf, present, textOrNull } from './wire-values.ts'

export const readLocation: ReadKind = ({ locationMessage, liveLocationMessage }) => {
  if (locationMessage) {
    const { name, address, comment, url, isLive, contextInfo } = locationMessage
    return {
      type: 'location',
      text: textOrNull(comment),
      content: {
        ...coordinates(locationMessage),
        name: textOrNull(name),
        address: textOrNull(address),
        live: isLive === true,
        ...present({ url: textOrNull(url) }),
      },
      contextInfo,
    }
  }
  if (!liveLocationMessage) return null
  return {
    type: 'location',
    text: textOrNull(liveLocationMessage.caption),
    content: {
      ...coordinates(liveLocationMessage),
      name: null,
      address: null,
      live: true,
      ...present({ accuracyMeters: countOf(liveLocationMessage.accuracyInMeters) }),
    },
    contextInfo: liveLocationMessage.contextInfo,
  }
}

interface WireCoordinates {
  degreesLatitude?: number | null
  degreesLongitude?: number | null
}
const coordinates = ({ degreesLatitude, degreesLongitude }: WireCoordinates) => ({
  latitude: numberOf(degreesLatitude),
  longitude: numberOf(degreesLongitude),
})
