// The body of `POST /send/event`.
import { z } from 'zod'
import { noDelay } from './message-bodies.ts'
import { moment, sendBody } from './send-fields.ts'

export const CALL_LINKS = ['audio', 'video'] as const

const withEnd = ({ startsAt, endsAt }: { startsAt: number; endsAt?: number | undefined }) =>
  endsAt === undefined || endsAt > startsAt
const withBothCoordinates = (place: { latitude?: number | undefined; longitude?: number | undefined }) =>
  (place.latitude === undefined) === (place.longitude === undefined)

export const EventSendBody = sendBody({
  name: z.string().min(1).max(256).meta({ description: 'Title of the event' }),
  description: z.string().min(1).max(2048).optional(),
  startsAt: moment.meta({ description: 'When the event begins', examples: ['2026-12-24T18:00:00+01:00'] }),
  endsAt: moment
    .optional()
    .meta({ description: 'When the event ends', examples: ['2026-12-24T20:00:00+01:00'] }),
  place: z.string().min(1).max(1024).optional().meta({ description: 'Name or address of the place' }),
  latitude: z.number().min(-90).max(90).optional().meta({ description: 'Only together with `longitude`' }),
  longitude: z.number().min(-180).max(180).optional().meta({ description: 'Only together with `latitude`' }),
  call: z
    .enum(CALL_LINKS)
    .optional()
    .meta({ description: 'Adds the link of a call of this kind, which the network creates' }),
  delay: noDelay,
})
  .refine(withEnd, { path: ['endsAt'], error: 'must be later than startsAt' })
  .refine(withBothCoordinates, {
    path: ['latitude'],
    error: 'expected latitude and longitude together, or none of them',
  })
  .meta({
    id: 'SendEvent',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        name: 'Tasting',
        description: 'Six wines and bread',
        startsAt: '2026-12-24T18:00:00+01:00',
        endsAt: '2026-12-24T20:00:00+01:00',
        place: 'Avenida Paulista 1000',
      },
    ],
  })
