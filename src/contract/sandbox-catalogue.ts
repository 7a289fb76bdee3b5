// Orders from a catalogue and products of one, as phones of the sandbox send and show them.
import { z } from 'zod'

const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,3})?$/, 'expected a decimal number such as 49.90')
  .meta({ examples: ['49.90'] })
const currency = z.string().regex(/^[A-Z]{3}$/, 'expected a currency code of 3 capital letters')
/** What a phone sends. */
export const order = z.strictObject({
  orderId: z.string().min(1).max(128),
  token: z.string().min(1).max(512).optional(),
  itemCount: z.number().int().min(1).max(10_000),
  total: amount,
  currency,
  title: z.string().min(1).max(256).optional(),
  message: z.string().min(1).max(4096).optional().meta({ description: 'What the customer adds in words' }),
})
export const product = z.strictObject({
  productId: z.string().min(1).max(128),
  title: z.string().min(1).max(256),
  description: z.string().min(1).max(2048).optional(),
  price: amount,
  currency,
  retailerId: z.string().min(1).max(128).optional(),
  url: z.url().max(2048).optional(),
  message: z.string().min(1).max(4096).optional().meta({ description: 'What the person asks about it' }),
})

/** What a phone shows: of any sender, so that nothing but the form is certain. */
export const shownOrder = z.object({
  orderId: z.string(),
  itemCount: z.number(),
  total: z.string(),
  currency: z.string(),
  title: z.string().optional(),
})
export const shownProduct = z.object({
  productId: z.string(),
  title: z.string(),
  price: z.string(),
  currency: z.string(),
  description: z.string().optional(),
  retailerId: z.string().optional(),
  url: z.string().optional(),
})
