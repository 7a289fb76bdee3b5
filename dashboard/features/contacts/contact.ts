// A contact as the API returns it.
import type { z } from 'zod'
import type { Contact as ContactSchema } from '../../../src/contract/contacts.ts'

export type Contact = z.output<typeof ContactSchema>
