// Reads the input of a dialect: unknown fields are ignored, as in the original APIs. What is passed on is checked by this API.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { findFault } from '../contract/body-guard.ts'
import { GatewayError, invalidField } from '../errors.ts'

export function readLeniently(
  schema: z.ZodObject,
  value: unknown,
  { log }: Pick<FastifyRequest, 'log'>,
  dialect: string,
): Record<string, unknown> {
  const fault = findFault(value)
  if (fault) throw invalidField(fault.path, fault.message)
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalidInput(parsed.error.issues)
  const ignored = Object.keys(value as object).filter((name) => !(name in schema.shape))
  noteIgnored(ignored, { log }, dialect)
  return parsed.data
}

/** Names fields that have no effect, in the log of the level `debug`. */
export function noteIgnored(
  fields: readonly string[],
  { log }: Pick<FastifyRequest, 'log'>,
  dialect: string,
): void {
  if (fields.length > 0) log.debug({ fields: fields.slice(0, 50) }, `${dialect}: ignored fields`)
}

/** In the form in which this API refuses a request. `below` is the field that was read. */
export const invalidInput = (issues: readonly z.core.$ZodIssue[], below: string[] = []): GatewayError =>
  new GatewayError('invalid_request', {
    details: issues.map(({ path, message }) => ({
      path: [...below, ...path.map(String)].join('.'),
      message: message.endsWith('received undefined') ? 'required' : message.replace(/^Invalid input: /, ''),
    })),
  })
