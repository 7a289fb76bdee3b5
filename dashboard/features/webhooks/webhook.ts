// A webhook as the API returns it.
import type { z } from 'zod'
import type { Webhook as WebhookSchema } from '../../../src/contract/webhooks.ts'

export type Webhook = z.output<typeof WebhookSchema>
