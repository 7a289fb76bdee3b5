// Parses the parts of a request by the schemas of its route, or throws one refusal that names every invalid field.
import { z } from 'zod'
import { findFault } from '../../contract/body-guard.ts'
import type { Route } from '../../contract/route.ts'
import { GatewayError } from '../../errors.ts'

export interface RawInput {
  params: unknown
  query: unknown
  body: unknown
}

interface Detail {
  path: string
  message: string
}

/** A route without a declared body accepts none. */
const NO_BODY = z.strictObject({}).optional()
const NO_FIELDS = z.strictObject({})

export function parseInput(route: Route, raw: RawInput): Record<'params' | 'query' | 'body', unknown> {
  const details: Detail[] = []
  const read = (schema: z.ZodType, value: unknown): unknown => {
    const fault = findFault(value)
    if (fault) {
      details.push(fault)
      return undefined
    }
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    details.push(...parsed.error.issues.flatMap(toDetails))
    return undefined
  }
  const input = {
    params: route.params ? read(route.params, raw.params) : undefined,
    // Probes and scrapers may add parameters, and these routes declare no refusal.
    query: route.area === 'system' ? undefined : read(route.query ?? NO_FIELDS, raw.query),
    body: route.method === 'GET' || route.upload ? undefined : read(route.body ?? NO_BODY, raw.body),
  }
  const first = details[0]
  if (first) throw new GatewayError('invalid_request', { details }, { message: sentence(first) })
  return input
}

const sentence = ({ path, message }: Detail): string =>
  `The request is not valid: ${path === '' ? '' : `${path}: `}${message}`

function toDetails(issue: z.core.$ZodIssue): Detail[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'unknown field' }))
  }
  const missing = issue.message.endsWith('received undefined')
  return [{ path, message: missing ? 'required' : issue.message.replace(/^Invalid input: /, '') }]
}
