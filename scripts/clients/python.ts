// Writes the generated part of the Python client: typed dictionaries of all schemas, and the calls of both clients.
import {
  type ClientDocument,
  iteratorName,
  nameOf,
  type Operation,
  pascal,
  type Schema,
  snake,
} from './document.ts'

const HEADER =
  '# Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.\n'
const PRIMITIVES: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  file: 'bytes',
}
/** A field with one of these names cannot be written as an attribute of a class. */
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

const quoted = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)
/** A whole type is one text in double quotes, because it may name what is declared later. */
const literal = (value: unknown): string => quoted(value).replaceAll('"', "'")
const union = (types: string[]): string => [...new Set(types)].join(' | ')

/** Any JSON value: not every checker knows a type that refers to itself. */
const RECURSIVE = 'JsonValue'

/** Collects the declarations that a type needs; objects inside others are named after the path to them. */
function createTypes(): { declared: Map<string, string>; declare(name: string, schema: Schema): void } {
  const declared = new Map<string, string>()

  function typeOf(schema: Schema, path: string): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref)
    if ('const' in schema) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return unionOf(choices, path)
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, path)))
    if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, `${path}Item`)}]`
    if (schema.type === 'object') return objectOf(schema, path)
    return PRIMITIVES[schema.type ?? ''] ?? 'Any'
  }

  /** Several objects need several names. */
  function unionOf(choices: Schema[], path: string): string {
    const objects = choices.filter(({ properties }) => properties !== undefined)
    const pathOf = (choice: Schema) => (objects.length > 1 ? path + suffixOf(choice, choices) : path)
    return union(choices.map((choice) => typeOf(choice, pathOf(choice))))
  }

  function objectOf(schema: Schema, path: string): string {
    const { properties = {}, additionalProperties: value } = schema
    if (Object.keys(properties).length === 0)
      return `dict[str, ${typeof value === 'object' ? typeOf(value, `${path}Value`) : 'Any'}]`
    declareObject(path, schema)
    return path
  }

  function declareObject(name: string, { properties = {}, required = [] }: Schema): void {
    // Its place in the file is before the objects inside it.
    declared.set(name, '')
    const fields = Object.entries(properties).map(([field, schema]): [string, string] => {
      const type = typeOf(schema, name + pascal(field))
      return [field, required.includes(field) ? `"${type}"` : `NotRequired["${type}"]`]
    })
    const text = fields.some(([field]) => KEYWORDS.has(field) || !/^[a-z_]\w*$/i.test(field))
      ? `${name} = TypedDict("${name}", {\n${fields.map(([field, type]) => `    "${field}": ${type},\n`).join('')}})\n`
      : `class ${name}(TypedDict):\n${fields.map(([field, type]) => `    ${field}: ${type}\n`).join('')}`
    declared.set(name, text)
  }

  function declare(name: string, schema: Schema): void {
    if (declared.has(name)) throw new Error(`two types of the Python client are named ${name}`)
    if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0)
      return declareObject(name, schema)
    declared.set(name, '')
    const type = name === RECURSIVE ? 'Any' : typeOf(schema, name)
    declared.set(name, `${name}: TypeAlias = "${type}"\n`)
  }
  return { declared, declare }
}

/** Choices with a field of one constant value are named after it. */
function suffixOf({ properties = {} }: Schema, choices: Schema[]): string {
  const named = Object.values(properties).find((field) => typeof field.const === 'string')?.const
  const position = choices.findIndex((choice) => choice.properties === properties)
  return typeof named === 'string'
    ? named.replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())
    : String(position + 1)
}

const answerType = ({ id, answer }: Operation): string => {
  if (answer === 'file') return 'FileContent'
  return answer === 'stream' || answer.$ref === undefined
    ? `types.${pascal(id)}Answer`
    : `types.${nameOf(answer.$ref)}`
}

const inputType = ({ id, input }: Operation): string | undefined => {
  if (input === undefined) return undefined
  return `types.${input.$ref === undefined ? `${pascal(id)}Input` : nameOf(input.$ref)}`
}

function typesFile({ schemas, operations, eventNames }: ClientDocument): string {
  const { declared, declare } = createTypes()
  for (const [name, schema] of Object.entries(schemas)) if (!declared.has(name)) declare(name, schema)
  for (const { id, input, answer } of operations) {
    if (input !== undefined && input.$ref === undefined) declare(`${pascal(id)}Input`, input)
    if (typeof answer === 'object' && answer.$ref === undefined) declare(`${pascal(id)}Answer`, answer)
  }
  return `${HEADER}"""Every schema of the API. Fields are named as in the API."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

EventName: TypeAlias = Literal[${eventNames.map(quoted).join(', ')}]

${[...declared.values()].join('\n')}`
}

function rowOf(operation: Operation): string {
  const { id, method, path, query, body, answer, pageOf } = operation
  const fields = [
    quoted(method),
    quoted(path),
    ...(query.length > 0 ? [`query=(${query.map(quoted).join(', ')},)`] : []),
    ...(body === 'none' ? [] : [`body=${quoted(body)}`]),
    ...(answer === 'file' ? ['is_file=True'] : []),
    ...(operation.needsKey ? ['needs_key=True'] : []),
    ...(operation.isIdempotent ? ['is_idempotent=True'] : []),
    ...(pageOf === undefined ? [] : [`page_of=${quoted(pageOf)}`]),
  ]
  return `    ${quoted(snake(id))}: Operation(${fields.join(', ')}),\n`
}

/** The stream is read by \`events\`, which reconnects. */
const isCallable = ({ answer }: Operation): boolean => answer !== 'stream'

function parametersOf(operation: Operation): { declared: string; fields: string } {
  const input = inputType(operation)
  const isUnion = operation.input?.$ref === undefined && operation.input?.properties === undefined
  if (input === undefined) return { declared: 'self', fields: '{}' }
  if (isUnion) return { declared: `self, fields: ${input}`, fields: 'fields' }
  const options = operation.isIdempotent
    ? ', *, idempotency_key: str | None = None, wait_seconds: int | None = None'
    : ''
  return { declared: `self${options}, **fields: Unpack[${input}]`, fields: 'fields' }
}

function methodOf(operation: Operation, isAsync: boolean): string {
  const name = snake(operation.id)
  const { declared, fields } = parametersOf(operation)
  const [define, wait] = isAsync ? ['async def', 'await '] : ['def', '']
  const options = operation.isIdempotent ? ', idempotency_key, wait_seconds' : ''
  const method = `    ${define} ${name}(${declared}) -> ${answerType(operation)}:
        """${operation.summary.replaceAll('"', "'")}."""
        answer: ${answerType(operation)} = ${wait}self._call("${name}", ${fields}${options})
        return answer
`
  if (operation.pageOf === undefined) return method
  return `${method}
    def ${snake(iteratorName(operation.id, 'iter'))}(${declared}) -> ${isAsync ? 'AsyncIterator' : 'Iterator'}[${itemType(operation)}]:
        """${operation.summary}: every item of every page."""
        return self._pages("${name}", ${fields})
`
}

/** The type of one item of a page. */
function itemType(operation: Operation): string {
  const { answer, pageOf = '' } = operation
  const list = typeof answer === 'object' ? answer.properties?.[pageOf] : undefined
  const inline = `${answerType(operation)}${pascal(pageOf)}Item`
  return list?.items?.$ref === undefined ? inline : `types.${nameOf(list.items.$ref)}`
}

function callsFile({ operations }: ClientDocument, isAsync: boolean): string {
  const [className, iterator, call] = isAsync
    ? ['AsyncCalls', 'AsyncIterator', 'async def']
    : ['Calls', 'Iterator', 'def']
  const mapping = isAsync ? 'AsyncIterator, Mapping' : 'Iterator, Mapping'
  return `${HEADER}from abc import ABC, abstractmethod
from collections.abc import ${mapping}
from typing import Any, Unpack

from . import types
from ._call import FileContent


class ${className}(ABC):
    """Every call of the API."""

    @abstractmethod
    ${call} _call(
        self,
        name: str,
        fields: Mapping[str, Any],
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
    ) -> Any: ...

    @abstractmethod
    def _pages(self, name: str, fields: Mapping[str, Any]) -> ${iterator}[Any]: ...

${operations
  .filter(isCallable)
  .map((operation) => methodOf(operation, isAsync))
  .join('\n')}`
}

const tableFile = ({ operations }: ClientDocument): string => `${HEADER}from ._call import Operation

OPERATIONS: dict[str, Operation] = {
${operations.map(rowOf).join('')}}
`

const FOLDER = 'clients/python/src/switchboard_client'
export const pythonFiles = (document: ClientDocument): Record<string, string> => ({
  [`${FOLDER}/types.py`]: typesFile(document),
  [`${FOLDER}/_operations.py`]: tableFile(document),
  [`${FOLDER}/_calls.py`]: callsFile(document, false),
  [`${FOLDER}/_async_calls.py`]: callsFile(document, true),
})
