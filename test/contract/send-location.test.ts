// POST /send-location
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

contract('POST /send-location', (gateway) => {
  const fixture = sendRules(gateway, {
    id: 'sendLocation',
    type: 'location',
    drawsDelay: false,
    to: 'number',
  })

  const whole = {
    latitude: -23.561_414,
    longitude: -46.655_881,
    name: 'Our shop',
    address: 'Avenida Paulista 1000',
  }
  const edges = [
    { latitude: 90, longitude: 180 },
    { latitude: -90, longitude: -180 },
    { latitude: 0, longitude: 0.000_001 },
  ]
  stores(fixture, 'sendLocation', 'stores coordinates exactly, up to the poles and the date line', [
    [whole, whole],
    ...edges.map((edge) => [edge, edge] as const),
  ])

  refuses(fixture, 'sendLocation', 'a coordinate is missing or out of range', [
    [{ latitude: 90.000_001 }, 'latitude'],
    [{ latitude: -91 }, 'latitude'],
    [{ longitude: 180.1 }, 'longitude'],
    [{ longitude: -181 }, 'longitude'],
    [{ latitude: '10' }, 'latitude'],
    [{ longitude: null }, 'longitude'],
    [{ latitude: undefined }, 'latitude'],
  ])

  refuses(fixture, 'sendLocation', 'name or address is too long, or type is given', [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(1025) }, 'name'],
    [{ address: 'x'.repeat(1025) }, 'address'],
    [{ address: 5 }, 'address'],
    [{ type: 'location' }, 'type'],
  ])
})
