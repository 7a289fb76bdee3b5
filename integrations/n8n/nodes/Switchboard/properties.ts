// The fields that the node shows, made from the table of calls.
import type { Field, FieldKind, Row } from './table.ts'

type Value = string | number | boolean | string[]
interface Choice {
  name: string
  value: string | number
  description?: string
  action?: string
}
/** The part of n8n's description of a field that this node uses. */
export interface Property {
  displayName: string
  name: string
  type: 'boolean' | 'collection' | 'dateTime' | 'json' | 'multiOptions' | 'number' | 'options' | 'string'
  default: Value | Record<string, never>
  required?: boolean
  description?: string
  placeholder?: string
  noDataExpression?: boolean
  typeOptions?: { multipleValues?: boolean; minValue?: number; maxValue?: number }
  options?: (Choice | Property)[]
  displayOptions?: { show: Record<string, (string | boolean)[]> }
}

const KINDS: Record<FieldKind, Pick<Property, 'type' | 'default' | 'typeOptions'>> = {
  string: { type: 'string', default: '' },
  number: { type: 'number', default: 0 },
  boolean: { type: 'boolean', default: false },
  dateTime: { type: 'dateTime', default: '' },
  options: { type: 'options', default: '' },
  multiOptions: { type: 'multiOptions', default: [] },
  strings: { type: 'string', default: [], typeOptions: { multipleValues: true } },
  json: { type: 'json', default: '' },
}

/** `API keys` → `apiKeys`. */
export const resourceValue = (resource: string): string =>
  resource
    .split(/\W+/)
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('')

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name)

function propertyOf(field: Field): Property {
  const { type, default: usual, typeOptions } = KINDS[field.kind]
  const choices = field.options?.map((value) => ({ name: String(value), value }))
  return {
    displayName: field.label,
    name: field.name,
    type,
    default: field.kind === 'options' ? (field.options?.[0] ?? '') : usual,
    ...(field.required ? { required: true } : {}),
    ...(field.hint === undefined ? {} : { description: field.hint }),
    ...(typeOptions === undefined ? {} : { typeOptions }),
    ...(choices === undefined ? {} : { options: choices }),
  }
}

const RETURN_ALL: Property = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
}
const LIMIT: Property = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  default: 50,
  typeOptions: { minValue: 1 },
  description: 'Max number of results to return',
}
const INPUT_FILE: Property = {
  displayName: 'Input Binary Field',
  name: 'binaryProperty',
  type: 'string',
  default: 'data',
  required: true,
  description: 'The field of the item that contains the file',
}
const OUTPUT_FILE: Property = {
  ...INPUT_FILE,
  displayName: 'Put Output File in Field',
  description: 'The field of the item that gets the file',
}
const IDEMPOTENCY_KEY: Property = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  description:
    'A request that is repeated with the same key is accepted once. Without one, the retries of this node in an execution have the same key.',
}
const WAIT_SECONDS: Property = {
  displayName: 'Wait for Status (Seconds)',
  name: 'waitSeconds',
  type: 'number',
  default: 10,
  typeOptions: { minValue: 1, maxValue: 60 },
  description: 'How long to wait until the message is sent or has failed',
}

/** Fields of a call that are always shown, with the condition of those that depend on another one. */
const shownOf = (row: Row): [Property, show?: Record<string, boolean[]>][] => [
  ...row.fields.filter(({ required }) => required).map((field): [Property] => [propertyOf(field)]),
  ...(row.body === 'file' ? [[INPUT_FILE] as [Property]] : []),
  ...(row.answersFile ? [[OUTPUT_FILE] as [Property]] : []),
  ...(row.pageOf === undefined
    ? []
    : [[RETURN_ALL] as [Property], [LIMIT, { returnAll: [false] }] as [Property, Record<string, boolean[]>]]),
]

const additionalOf = (row: Row): Property[] =>
  [
    ...row.fields.filter(({ required }) => !required).map(propertyOf),
    ...(row.isIdempotent ? [IDEMPOTENCY_KEY] : []),
    ...(row.waits ? [WAIT_SECONDS] : []),
  ].sort((one, other) => one.displayName.localeCompare(other.displayName))

/** A field that is the same in several calls of a resource is one field. */
function fieldsOf(resource: string, rows: readonly Row[]): Property[] {
  const merged = new Map<string, { property: Property; show: Record<string, boolean[]>; ids: string[] }>()
  for (const row of rows)
    for (const [property, show = {}] of shownOf(row)) {
      const key = JSON.stringify(property)
      const found = merged.get(key)
      if (found) found.ids.push(row.id)
      else merged.set(key, { property, show, ids: [row.id] })
    }
  const shown = [...merged.values()].map(({ property, show, ids }) => ({
    ...property,
    displayOptions: { show: { resource: [resource], operation: ids, ...show } },
  }))
  const additional = rows.flatMap((row): Property[] => {
    const options = additionalOf(row)
    if (options.length === 0) return []
    return [
      {
        displayName: 'Additional Fields',
        name: 'additionalFields',
        type: 'collection',
        placeholder: 'Add Field',
        default: {},
        options,
        displayOptions: { show: { resource: [resource], operation: [row.id] } },
      },
    ]
  })
  return [...shown, ...additional]
}

const operationsOf = (resource: string, rows: readonly Row[]): Property => {
  const options = rows
    .map(({ id, name, summary }) => ({ name, value: id, description: summary, action: summary }))
    .sort(byName)
  const usual = rows[0]?.id ?? ''
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    options,
    default: usual,
    displayOptions: { show: { resource: [resource] } },
  }
}

export function propertiesOf(rows: readonly Row[]): Property[] {
  const titles = [...new Set(rows.map(({ resource }) => resource))]
  const parts = titles.map((title) => ({
    value: resourceValue(title),
    name: title,
    rows: rows.filter(({ resource }) => resource === title),
  }))
  const usual = parts[0]?.value ?? ''
  const resource: Property = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: parts.map(({ name, value }) => ({ name, value })).sort(byName),
    default: usual,
  }
  return [
    resource,
    ...parts.map((part) => operationsOf(part.value, part.rows)),
    ...parts.flatMap((part) => fieldsOf(part.value, part.rows)),
  ]
}
