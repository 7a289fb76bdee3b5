// POST /send/event
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const startsAt = '2026-12-24T18:00:00.000Z'
const endsAt = '2026-12-24T20:00:00.000Z'

contract('POST /send/event', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendEvent', type: 'event', drawsDelay: false, to: 'number' })

  const name = 'Tasting'
  stores(fixture, 'sendEvent', 'stores title, times, place and call; times become UTC', [
    [{}, { name, startsAt }],
    [
      { startsAt: '2026-12-24T19:00:00+01:00', endsAt },
      { name, startsAt, endsAt },
    ],
    [
      {
        description: 'Six wines\nand bread',
        place: 'Our shop',
        latitude: -23.5,
        longitude: -46.6,
        call: 'video',
      },
      {
        name,
        description: 'Six wines\nand bread',
        startsAt,
        place: 'Our shop',
        latitude: -23.5,
        longitude: -46.6,
        call: 'video',
      },
    ],
  ])

  refuses(fixture, 'sendEvent', 'a time is missing, not a time, or in the wrong order', [
    [{ startsAt: undefined }, 'startsAt'],
    [{ startsAt: 'tomorrow' }, 'startsAt'],
    [{ startsAt: 1_800_000_000 }, 'startsAt'],
    [{ endsAt: '2026-12-24' }, 'endsAt'],
    [{ endsAt: startsAt }, 'endsAt'],
    [{ endsAt: '2026-12-24T17:00:00Z' }, 'endsAt'],
  ])

  refuses(fixture, 'sendEvent', 'a field is empty, too long, not valid or unknown', [
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(257) }, 'name'],
    [{ description: '' }, 'description'],
    [{ description: 'x'.repeat(2049) }, 'description'],
    [{ place: '' }, 'place'],
    [{ latitude: 1 }, 'latitude'],
    [{ longitude: 1 }, 'latitude'],
    [{ latitude: 91, longitude: 0 }, 'latitude'],
    [{ call: 'phone' }, 'call'],
    [{ canceled: true }, 'canceled'],
  ])
})
