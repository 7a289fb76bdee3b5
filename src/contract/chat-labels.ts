// Labels as chats show them, and their limits.
import { z } from 'zod'

/** The app has twenty colours, and lets a business make twenty labels. */
export const LABEL_COLORS = 20
export const MAX_LABELS = 20

export const labelId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, { error: 'expected the id of a label, such as 6' })
  .meta({ description: 'Id of a label (`GET /labels`)', examples: ['6'] })

export const labelFields = {
  id: z.string().meta({ description: 'Chosen by the phone or by this gateway; not used again' }),
  name: z.string(),
  color: z.int().meta({ description: `Number of a colour of the app, 0 to ${LABEL_COLORS - 1}` }),
}

export const ChatLabel = z.object(labelFields).meta({
  id: 'ChatLabel',
  examples: [{ id: '6', name: 'Follow up', color: 5 }],
})
