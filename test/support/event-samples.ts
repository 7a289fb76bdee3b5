// Causes the commonest events on a gateway with simulated phones, and writes them with fixed values in place of those that differ
// with each run. docs/event-samples.md is made of them.
import { api, type LinkedGateway, linkedInstance, newInstance, until, world } from './linked.ts'
import { png } from './sample-files.ts'

interface LoggedEvent {
  id: string
  event: string
  instanceName: string
  data: Record<string, unknown>
}

interface Sample {
  title: string
  /** What happened, for the reader. */
  cause: string
  event: LoggedEvent
}

const [OWNER, ANA, BEN] = ['5511900000001', '5511912345678', '5521987654321']

/** Each step causes events; the sample is the first new one of its name for which `is` holds. */
interface Step {
  title: string
  cause: string
  event: string
  is?: (data: Record<string, unknown>) => boolean
  act(stage: Stage): Promise<unknown>
}

interface Stage {
  gateway: LinkedGateway
  instance: string
  /** The id of the last message that a step has made. */
  messageId: string
}

const fromAna = async (stage: Stage, message: object): Promise<void> => {
  const sent = await world(stage.gateway, `POST /phones/${ANA}/send`, { to: OWNER, ...message })
  stage.messageId = sent.messageId
}
const send = async (stage: Stage, message: string): Promise<void> => {
  const body = { instanceName: stage.instance, number: ANA, message, delay: 0 }
  stage.messageId = (await api(stage.gateway, 'POST /send/text', body)).messageId
}
const hasStatus = (status: string) => (data: Record<string, unknown>) => data['status'] === status
const hasType = (type: string) => (data: Record<string, unknown>) => data['type'] === type

const STEPS: Step[] = [
  {
    title: 'A text arrives',
    cause: 'Ana writes “Hello”.',
    event: 'messages.upsert',
    act: (stage) => fromAna(stage, { text: 'Hello' }),
  },
  {
    title: 'A text is edited',
    cause: 'Ana changes “Hello” to “Hello there”. `target` names the message that was changed.',
    event: 'messages.edited',
    act: ({ gateway, messageId }) =>
      world(gateway, `POST /phones/${ANA}/edit`, { messageId, text: 'Hello there' }),
  },
  {
    title: 'A reaction',
    cause: 'Ana reacts to her own message.',
    event: 'messages.reaction',
    act: ({ gateway, messageId }) => world(gateway, `POST /phones/${ANA}/react`, { messageId, emoji: '👍' }),
  },
  {
    title: 'A message is deleted for everyone',
    cause: 'Ana deletes it.',
    event: 'messages.deleted',
    act: ({ gateway, messageId }) => world(gateway, `POST /phones/${ANA}/delete`, { messageId }),
  },
  {
    title: 'A photo arrives',
    cause: 'Ana sends a photo with a caption. `GET` on `downloadPath` returns the file.',
    event: 'messages.upsert',
    is: hasType('image'),
    act: (stage) =>
      fromAna(stage, {
        media: {
          type: 'image',
          mimetype: 'image/png',
          base64: Buffer.from(png(64, 64)).toString('base64'),
          caption: 'Look',
        },
      }),
  },
  {
    title: 'A location arrives',
    cause: 'Ana sends where she is.',
    event: 'messages.upsert',
    is: hasType('location'),
    act: (stage) =>
      fromAna(stage, { location: { latitude: -23.5505, longitude: -46.6333, name: 'Praça da Sé' } }),
  },
  {
    title: 'Your message was sent',
    cause: 'You sent a text, and the network has taken it: one tick.',
    event: 'messages.update',
    is: hasStatus('sent'),
    act: (stage) => send(stage, 'Good morning'),
  },
  {
    title: 'Your message was delivered',
    cause: 'It is on the phone of Ana: two ticks.',
    event: 'messages.update',
    is: hasStatus('delivered'),
    act: (stage) => send(stage, 'Good morning'),
  },
  {
    title: 'Your message was read',
    cause: 'Ana opened the chat: blue ticks.',
    event: 'messages.update',
    is: hasStatus('read'),
    act: ({ gateway }) => world(gateway, `POST /phones/${ANA}/read`, { chat: OWNER }),
  },
  {
    title: 'A group has a new member',
    cause: 'Ben joined a group of yours.',
    event: 'group-participants.update',
    async act({ gateway, instance }) {
      const body = { instanceName: instance, subject: 'Team', members: [ANA] }
      const { group } = await api(gateway, 'POST /groups', body)
      const change = { add: [BEN] }
      await api(gateway, `POST /groups/${group.groupJid}/members?instanceName=${instance}`, change)
    },
  },
  {
    title: 'A call rings',
    cause: 'Ana calls.',
    event: 'call',
    act: ({ gateway }) => world(gateway, `POST /phones/${ANA}/call`, { to: OWNER }),
  },
]

/** Events of an instance that shows its code and is then linked. */
async function linkingSamples(gateway: LinkedGateway): Promise<Sample[]> {
  const instance = await newInstance(gateway, 'Support')
  const event = await nextEvent(gateway, instance, LOG_START, { event: 'qrcode.updated' })
  return [
    {
      title: 'A code to scan',
      cause:
        'An instance that is not linked shows a code. The event does not contain it: it is a secret for a minute.',
      event,
    },
  ]
}

const LOG_START = 0
type Wanted = Pick<Step, 'event' | 'is'>

const nextEvent = (gateway: LinkedGateway, instance: string, after: number, { event, is }: Wanted) =>
  until(event, async () => {
    const { events } = await api(
      gateway,
      `GET /events?instanceName=${instance}&events=${event}&after=${after}&limit=100`,
    )
    return (events as LoggedEvent[]).find(({ data }) => is?.(data) ?? true)
  })

async function lastSequence(gateway: LinkedGateway, instance: string): Promise<number> {
  const { events } = await api(gateway, `GET /events?instanceName=${instance}&after=0&limit=100`)
  return (events as { sequence: number }[]).at(-1)?.sequence ?? LOG_START
}

export async function eventSamples(gateway: LinkedGateway): Promise<string> {
  for (const [number, name] of [
    [ANA, 'Ana'],
    [BEN, 'Ben'],
  ])
    await world(gateway, 'POST /phones', { number, name })
  const instance = await linkedInstance(gateway, OWNER)
  const stage: Stage = { gateway, instance, messageId: '' }
  const opened = await nextEvent(gateway, instance, LOG_START, {
    event: 'connection.update',
    is: ({ state }) => state === 'open',
  })
  const samples: Sample[] = []
  for (const step of STEPS) {
    const after = await lastSequence(gateway, instance)
    await step.act(stage)
    samples.push({ ...step, event: await nextEvent(gateway, instance, after, step) })
  }
  const linking = await linkingSamples(gateway)
  const open = {
    title: 'An instance is open',
    cause: 'It was linked, and can send and receive.',
    event: opened,
  }
  return [...samples, ...linking, open].map(written).join('\n\n')
}

const written = ({ title, cause, event }: Sample): string =>
  `## ${title}\n\n\`${event.event}\`: ${cause}\n\n\`\`\`json\n${JSON.stringify(fixed(event), null, 2)}\n\`\`\``

/** Values that differ with each run, by the name of their field. */
const BY_NAME: Record<string, unknown> = {
  sequence: 42,
  callId: '3EB0A1B2C3D4E5F60718293A4B5C6D7E',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sizeBytes: 1234,
}
const BY_FORM: [RegExp, string][] = [
  [/^evt_\d+_\d+$/, 'evt_1_42'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/, '2026-01-31T12:00:00.000Z'],
  [/\b\d+@g\.us\b/, '120363000000000000@g.us'],
  [/\b(linked|support)-[a-z0-9]{8}\b/, 'support-k3v9x2ma'],
  [/^Linked$|^Owner of \d+$/, 'Support'],
]
/** Values that must stay different from each other, in the order in which a sample has them. */
const COUNTED: [RegExp, string[]][] = [
  [/\b[0-9A-F]{18,32}\b/, ['3EB0A1B2C3D4E5F60718', '3EB0F9E8D7C6B5A49382']],
  [/\b\d+@lid\b/, ['111222333444555@lid', '111222333444556@lid']],
]

function fixed(event: LoggedEvent): unknown {
  const text = JSON.stringify(event, (name, value: unknown) => {
    if (value !== null && Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
    if (name === 'instance') return { ...(value as object), id: 1 }
    if (typeof value !== 'string') return value
    return BY_FORM.reduce((changed, [form, replacement]) => changed.replace(form, replacement), value)
  })
  return JSON.parse(COUNTED.reduce(withCounted, text))
}

function withCounted(text: string, [form, names]: (typeof COUNTED)[number]): string {
  const known = new Map<string, string>()
  return text.replaceAll(new RegExp(form, 'g'), (found) => {
    if (names.includes(found)) return found
    if (!known.has(found)) known.set(found, names[known.size] ?? found)
    return known.get(found) ?? found
  })
}
