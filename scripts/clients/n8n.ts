// Writes the generated part of the n8n package: a table of all calls with the fields that its node shows, and the check of signatures.
import { readFileSync } from 'node:fs'
import type { Field, FieldKind, Row } from '../../integrations/n8n/nodes/Switchboard/table.ts'
import { type ClientDocument, isNullable, type Operation, resolved, type Schema } from './document.ts'

const FOLDER = 'integrations/n8n/nodes'
const HEADER =
  '// Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.\n'

/** A stream has no end; the trigger node replaces it. */
export const isAction = ({ answer }: Operation): boolean => answer !== 'stream'

/** Names that the node gives to fields of its own. */
const OWN_NAMES = new Set([
  'resource',
  'operation',
  'additionalFields',
  'recipient',
  'returnAll',
  'binaryProperty',
])
/** Three ways to name a chat, of which a call takes one. The node shows one field, and the form of the value decides. */
const CHAT_NAMES = ['number', 'groupJid', 'chat']
/** The node reads pages itself. */
const PAGE_NAMES = ['page', 'limit']
/** The bytes and the type of a file come from the binary data of the item. */
const FILE_NAMES = ['file', 'contentType']

const PRIMITIVES: Record<string, FieldKind> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

const isText = (schema: Schema): boolean => {
  const choices = schema.anyOf ?? schema.oneOf
  return choices ? choices.every(isText) : schema.type === 'string' && schema.enum === undefined
}

/** Fields that one input of n8n cannot show are given as JSON. */
function kindOf(schema: Schema, schemas: Record<string, Schema>): Pick<Field, 'kind' | 'options'> {
  const { type, anyOf, items, enum: options } = resolved(schema, schemas)
  if (options) return { kind: 'options', options: options as (string | number)[] }
  if (anyOf) {
    const values = anyOf.filter(
      (choice) => choice.type !== 'null' && !('const' in choice && choice.const === ''),
    )
    const [only] = values
    if (only !== undefined && values.length === 1) return kindOf(only, schemas)
    return { kind: values.every(isText) ? 'string' : 'json' }
  }
  if (type === 'array' && items?.enum) return { kind: 'multiOptions', options: items.enum as string[] }
  if (type === 'array' && items && isText(items)) return { kind: 'strings' }
  if (type === 'string' && schema.format === 'date-time') return { kind: 'dateTime' }
  return { kind: PRIMITIVES[String(type)] ?? 'json' }
}

const words = (id: string): string[] => id.split(/(?=[A-Z])|[_-]/).filter((word) => word !== '')
export const titleOf = (id: string): string =>
  words(id)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

const NAMED_WORDS: Record<string, string> = { Id: 'ID', Url: 'URL', Jid: 'JID', Api: 'API', Qr: 'QR' }
const labelOf = (id: string): string =>
  titleOf(id).replaceAll(/\b(Id|Url|Jid|Api|Qr)\b/g, (word) => NAMED_WORDS[word] ?? word)

const hintOf = ({ description }: Schema): string | undefined => description?.replaceAll('\n', ' ')

function fieldsOf(operation: Operation, input: Schema, schemas: Record<string, Schema>): Field[] {
  const { id, path, query, body, method, pageOf } = operation
  const { properties = {}, required = [] } = input
  const isMerged = CHAT_NAMES.every((name) => properties[name] !== undefined && !required.includes(name))
  const left = new Set([
    ...(isMerged ? CHAT_NAMES : []),
    ...(pageOf === undefined ? [] : PAGE_NAMES),
    ...(body === 'file' ? FILE_NAMES : []),
  ])
  const partOf = (name: string): Field['in'] =>
    path.includes(`{${name}}`) ? 'path' : query.includes(name) ? 'query' : 'body'
  const fields = Object.entries(properties).flatMap(([name, schema]): Field[] => {
    if (left.has(name) || 'const' in schema) return []
    if (OWN_NAMES.has(name)) throw new Error(`${id}: the node has a field ${name} of its own`)
    const hint = hintOf(schema)
    return [
      {
        name,
        label: labelOf(name),
        in: partOf(name),
        ...kindOf(schema, schemas),
        ...(required.includes(name) ? { required: true as const } : {}),
        ...(isNullable(schema) ? { nullable: true as const } : {}),
        ...(hint === undefined ? {} : { hint }),
      },
    ]
  })
  if (!isMerged) return fields
  const recipient: Field = {
    name: 'recipient',
    label: 'Chat',
    in: partOf('chat'),
    kind: 'string',
    hint: 'Phone number with country code, or the chat of a person or group as events name it',
    ...(method === 'GET' ? {} : { required: true as const }),
  }
  return [...fields.slice(0, 1), recipient, ...fields.slice(1)]
}

/** Fields that have only one value are sent, not shown. */
function fixedOf({ properties = {}, required = [] }: Schema): Record<string, unknown> | undefined {
  const fixed = Object.entries(properties).flatMap(([name, schema]) =>
    'const' in schema && required.includes(name) ? [[name, schema.const] as const] : [],
  )
  return fixed.length === 0 ? undefined : Object.fromEntries(fixed)
}

const WHOLE_BODY: Field = { name: 'body', label: 'Body', in: 'body', kind: 'json', required: true }

function rowOf(operation: Operation, schemas: Record<string, Schema>): Row {
  const { id, tag, summary, method, path, body, answer, pageOf } = operation
  const input = operation.input === undefined ? {} : resolved(operation.input, schemas)
  const isWhole = operation.input !== undefined && input.properties === undefined
  const fixed = fixedOf(input)
  return {
    id,
    resource: tag,
    name: labelOf(id.replace(/^(admin|sandbox)(?=[A-Z])/, '')),
    summary,
    method: method as Row['method'],
    path,
    body: isWhole ? 'whole' : body,
    fields: isWhole ? [WHOLE_BODY] : fieldsOf(operation, input, schemas),
    ...(fixed === undefined ? {} : { fixed }),
    ...(operation.isIdempotent ? { isIdempotent: true as const } : {}),
    ...(operation.waits ? { waits: true as const } : {}),
    ...(answer === 'file' ? { answersFile: true as const } : {}),
    ...(pageOf === undefined ? {} : { pageOf }),
  }
}

const table = ({
  operations,
  schemas,
  eventNames,
}: ClientDocument): string => `${HEADER}import type { Row } from '../table.ts'

export const ROWS: readonly Row[] = [
${operations
  .filter(isAction)
  .map((operation) => `  ${JSON.stringify(rowOf(operation, schemas))},\n`)
  .join('')}]

export const EVENT_NAMES: readonly string[] = ${JSON.stringify(eventNames.filter((name) => name !== 'batch'))}
`

/** The function of the contract, as it is, except for the type of an event, which the node passes on unread. */
const verification = (): string =>
  HEADER.replace('the OpenAPI document', 'src/contract/verify-delivery.ts') +
  readFileSync(new URL('../../src/contract/verify-delivery.ts', import.meta.url), 'utf8').replace(
    "import type { Event } from './events.ts'",
    'interface Event {\n  event: string\n}',
  )

export const n8nFiles = (document: ClientDocument): Record<string, string> => ({
  [`${FOLDER}/Switchboard/generated/rows.ts`]: table(document),
  [`${FOLDER}/SwitchboardTrigger/generated/verify-delivery.ts`]: verification(),
})
