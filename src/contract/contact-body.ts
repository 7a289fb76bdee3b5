// The body of `POST /send/contact`.
import { z } from 'zod'
import { number, plainText } from './fields.ts'
import { noDelay } from './message-bodies.ts'
import { sendBody } from './send-fields.ts'

const contactCard = z.strictObject({
  name: plainText(1, 256).meta({ examples: ['Ana Souza'] }),
  phone: number,
  organisation: plainText(1, 256)
    .optional()
    .meta({ examples: ['Acme'] }),
  email: z
    .email({ error: 'expected an e-mail address' })
    .max(254)
    .optional()
    .meta({ examples: ['ana@example.com'] }),
})

export const ContactBody = sendBody({
  contacts: z.array(contactCard).min(1).max(20).meta({ description: '1 to 20 contact cards' }),
  delay: noDelay,
}).meta({
  id: 'SendContact',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      contacts: [
        {
          name: 'Ana Souza',
          phone: '5511987654321',
          organisation: 'Acme',
          email: 'ana@example.com',
        },
      ],
    },
  ],
})
