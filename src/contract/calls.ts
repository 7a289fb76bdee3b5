// Phone calls: their event, and the endpoint that rejects one. The gateway cannot answer a call.
import { z } from 'zod'
import { chatName, eventChatIds, Person } from './chat-fields.ts'
import { instanceName, success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'

export const CALL_STATUSES = ['offer', 'ringing', 'accepted', 'rejected', 'missed', 'ended'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

const callId = z
  .string()
  .regex(/^[\w.:-]{1,128}$/, { error: 'expected the callId of a `call` event' })
  .meta({ description: '`callId` of the event', examples: ['3EB0A1B2C3D4E5F60718293A4B5C6D7E'] })

export const Call = z
  .object({
    callId: z.string(),
    from: Person.meta({ description: 'The caller' }),
    isVideo: z.boolean().nullable().meta({ description: 'Null if the offer of the call was not received' }),
    isGroup: z.boolean().nullable().meta({ description: 'Null if the offer of the call was not received' }),
    chat: chatName
      .optional()
      .meta({ description: 'Network identifier of the group of a group call, or of the caller' }),
    ...eventChatIds,
    groupJid: z
      .string()
      .nullable()
      .meta({ description: 'The group of a group call, if the network named it' }),
    status: z.enum(CALL_STATUSES).meta({
      description:
        '`offer`: the call has started. `ringing`: the phone rings. `accepted`, `rejected`: on any device of the account. ' +
        '`missed`: not answered in time. `ended`: a side has hung up',
    }),
    at: timestamp,
  })
  .meta({
    id: 'Call',
    examples: [
      {
        callId: '3EB0A1B2C3D4E5F60718293A4B5C6D7E',
        from: {
          jid: '5511912345678@s.whatsapp.net',
          lid: null,
          phone: '5511912345678',
          pushName: null,
        },
        isVideo: false,
        isGroup: false,
        groupJid: null,
        status: 'rejected',
        at: '2026-01-31T12:00:00.000Z',
      },
    ],
  })

export const rejectCall = endpoint({
  tag: 'Calls',
  live: true,
  summary: 'Reject an incoming call',
  description:
    'For a call whose last status is `offer` or `ringing`. The caller sees that the call was declined.',
  params: z.strictObject({ callId }),
  query: z.strictObject({ instanceName }),
  answer: z.object({ success, call: Call }),
  reasons: [
    'instance_not_found',
    'call_not_found',
    'instance_not_connected',
    'call_over',
    'refused_by_network',
    'network_timeout',
  ],
})
