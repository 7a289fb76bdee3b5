// Writes the generated part of the TypeScript client: types of all schemas, the interface of all calls, and the table behind it.
import { readFileSync } from 'node:fs'
import { type ClientDocument, iteratorName, nameOf, type Operation, pascal, type Schema } from './document.ts'

const HEADER =
  '// Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.\n'
const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  file: 'Blob | Uint8Array<ArrayBuffer>',
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
const key = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name))
const union = (types: string[]): string => [...new Set(types)].join(' | ')
const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`

function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if ('const' in schema) return quoted(schema.const)
  if (schema.enum) return union(schema.enum.map(quoted))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map((choice) => typeOf(choice, indent)))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, indent))
  if (schema.type === 'object') return objectOf(schema, indent)
  return PRIMITIVES[schema.type ?? ''] ?? 'unknown'
}

const arrayOf = (item: string): string => (/^[\w$]+$/.test(item) ? `${item}[]` : `(${item})[]`)

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined || Object.keys(properties).length === 0)
    return `{ [name: string]: ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'} }`
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    const type = typeOf(field, inner)
    return `${comment(field.description, inner)}${inner}${key(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

/** The name of the input, and its declaration if the document has no name for it. */
function inputOf({ id, input }: Operation): { name: string; declared: string } | undefined {
  if (input === undefined) return undefined
  if (input.$ref !== undefined) return { name: nameOf(input.$ref), declared: '' }
  const name = `${pascal(id)}Input`
  return { name, declared: `export type ${name} = ${typeOf(input)}\n` }
}

const answerType = ({ id, answer }: Operation): string => {
  if (answer === 'file') return 'FileContent'
  if (answer === 'stream') return 'ReadableStream<Uint8Array>'
  return answer.$ref === undefined ? `${pascal(id)}Answer` : nameOf(answer.$ref)
}

/** The argument may be left out where no field is required. */
const parameterOf = (operation: Operation): string => {
  const { input } = operation
  if (input === undefined) return 'input?: Record<string, never>'
  const isOptional = input.properties !== undefined && (input.required ?? []).length === 0
  return `input${isOptional ? '?' : ''}: types.${inputOf(operation)?.name}`
}

const optionsOf = ({ isIdempotent, waits }: Operation): string =>
  isIdempotent || waits ? 'SendOptions' : 'CallOptions'

function typesFile({ schemas, operations, eventNames }: ClientDocument): string {
  const named = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema)}\n`,
  )
  const inputs = operations.map((operation) => inputOf(operation)?.declared ?? '')
  const answers = operations.flatMap((operation) => {
    const { answer } = operation
    if (typeof answer === 'string' || answer.$ref !== undefined) return []
    return [`export type ${answerType(operation)} = ${typeOf(answer)}\n`]
  })
  const events = `export type EventName = ${union(eventNames.map(quoted))}\n`
  return [HEADER, ...named, events, ...inputs.filter((text) => text !== ''), ...answers].join('\n')
}

function rowOf(operation: Operation): string {
  const { method, path, query, body, answer, pageOf } = operation
  const fields = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(query.length > 0 ? [`query: [${query.map(quoted).join(', ')}]`] : []),
    ...(body === 'none' ? [] : [`body: '${body}'`]),
    ...(typeof answer === 'string' ? [`answer: '${answer}'`] : []),
    ...(operation.needsKey ? ['needsKey: true'] : []),
    ...(operation.isIdempotent ? ['isIdempotent: true'] : []),
    ...(pageOf === undefined ? [] : [`pageOf: '${pageOf}'`]),
  ]
  return `  ${operation.id}: { ${fields.join(', ')} },\n`
}

function operationsFile({ operations }: ClientDocument): string {
  const ofTypes = (type: string) => (/^(FileContent|ReadableStream)/.test(type) ? type : `types.${type}`)
  const methods = operations.map(
    (operation) =>
      `${comment(operation.summary, '  ')}  ${operation.id}(${parameterOf(operation)}, options?: ${optionsOf(operation)}): Promise<${ofTypes(answerType(operation))}>\n`,
  )
  const iterators = operations
    .filter(({ pageOf }) => pageOf !== undefined)
    .map(
      (operation) =>
        `${comment(`${operation.summary}: every item of every page`, '  ')}  ${iteratorName(operation.id)}(${parameterOf(operation)}, options?: CallOptions): AsyncGenerator<${ofTypes(answerType(operation))}['${operation.pageOf}'][number]>\n`,
    )
  return `${HEADER}import type { CallOptions, FileContent, OperationRow, SendOptions } from '../settings.ts'
import type * as types from './types.ts'

export interface Operations {
${methods.join('')}}

/** Calls that answer with pages, as iterators over their items. */
export interface Iterators {
${iterators.join('')}}

export const OPERATIONS: Readonly<Record<keyof Operations, OperationRow>> = {
${operations.map(rowOf).join('')}}
`
}

/** The function of the contract, as it is. */
const verification = (): string =>
  HEADER.replace('the OpenAPI document', 'src/contract/verify-delivery.ts') +
  readFileSync(new URL('../../src/contract/verify-delivery.ts', import.meta.url), 'utf8').replace(
    './events.ts',
    './types.ts',
  )

export const typescriptFiles = (document: ClientDocument): Record<string, string> => ({
  'clients/typescript/src/generated/types.ts': typesFile(document),
  'clients/typescript/src/generated/operations.ts': operationsFile(document),
  'clients/typescript/src/generated/verify-delivery.ts': verification(),
})
