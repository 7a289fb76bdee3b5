// A destination as the API returns it.
import type { z } from 'zod'
import type { Destination as DestinationSchema } from '../../../../src/contract/destinations.ts'

export type Destination = z.output<typeof DestinationSchema>
