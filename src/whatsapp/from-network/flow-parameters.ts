// The JSON parameters of native flows: of buttons, and of the answers to them. Strangers write them.
import { z } from 'zod'

/** A value that has to be text, also if it is written as a number. Others are left out: untrusted JSON may be nested arbitrarily deep. */
export const flat = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined)

/** Undefined for JSON that is malformed or of another form. */
export function parametersIn<S extends z.ZodType>(schema: S, json: string | null | undefined) {
  return schema.safeParse(parsed(json ?? '')).data
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
