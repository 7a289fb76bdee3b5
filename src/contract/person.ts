// A person as events and answers describe them.
import { z } from 'zod'
import { personIdFields } from './chat-ids.ts'

export const Person = z
  .object({
    jid: z.string().meta({ description: 'Network identifier, based on the phone number if it is known' }),
    lid: z.string().nullable().meta({ description: "The network's identifier that hides the phone number" }),
    phone: z.string().nullable().meta({ description: 'Digits with country code' }),
    pushName: z.string().nullable(),
    ...z.object(personIdFields).omit({ lid: true }).partial().shape,
  })
  .meta({ id: 'Person' })
