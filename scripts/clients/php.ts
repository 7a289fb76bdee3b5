// Writes the generated part of the PHP client: one method per call, with the shapes of its arrays for static analysis.
import { type ClientDocument, iteratorName, nameOf, type Operation, pascal, type Schema } from './document.ts'

const HEADER =
  '// Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.\n'
const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'null',
  file: 'string',
}
/** Any JSON value: a type cannot refer to itself. */
const RECURSIVE = 'JsonValue'

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'` : JSON.stringify(value)
const union = (types: string[]): string => [...new Set(types)].join('|')

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined)
    return nameOf(schema.$ref) === RECURSIVE ? 'mixed' : `${nameOf(schema.$ref)}Shape`
  if ('const' in schema) return quoted(schema.const)
  if (schema.enum) return union(schema.enum.map(quoted))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  if (schema.type === 'array') return `list<${typeOf(schema.items ?? {})}>`
  if (schema.type === 'object') return objectOf(schema)
  return PRIMITIVES[schema.type ?? ''] ?? 'mixed'
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties)
  if (fields.length === 0)
    return `array<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'mixed'}>`
  const shape = fields.map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  return `array{${shape.join(', ')}}`
}

const answerType = ({ answer }: Operation): string =>
  typeof answer === 'string' ? 'FileContent' : typeOf(answer)

function rowOf(operation: Operation): string {
  const { id, method, path, query, body, answer, pageOf } = operation
  const fields = [
    `'method' => ${quoted(method)}`,
    `'path' => ${quoted(path)}`,
    `'query' => [${query.map(quoted).join(', ')}]`,
    `'body' => ${quoted(body)}`,
    `'isFile' => ${typeof answer === 'string'}`,
    `'needsKey' => ${operation.needsKey}`,
    `'isIdempotent' => ${operation.isIdempotent}`,
    `'pageOf' => ${pageOf === undefined ? 'null' : quoted(pageOf)}`,
  ]
  return `        ${quoted(id)} => [${fields.join(', ')}],\n`
}

/** Without a required field, the argument may be left out. */
function parameterOf({ input }: Operation): { type: string; declared: string } | undefined {
  if (input === undefined) return undefined
  const isOptional = input.properties !== undefined && (input.required ?? []).length === 0
  return { type: typeOf(input), declared: `array $fields${isOptional ? ' = []' : ''}` }
}

/** The stream is not read: \`events\` reads the log in pages, because PSR-18 has no streams. */
const isCallable = ({ answer }: Operation): boolean => answer !== 'stream'

function methodOf(operation: Operation): string {
  const parameter = parameterOf(operation)
  const isFile = operation.answer === 'file'
  const declared = [
    ...(parameter ? [parameter.declared] : []),
    ...(operation.isIdempotent ? ['?string $idempotencyKey = null, ?int $waitSeconds = null'] : []),
  ].join(', ')
  const given = parameter ? '$fields' : '[]'
  const options = operation.isIdempotent ? ', $idempotencyKey, $waitSeconds' : ''
  const fieldsLine = parameter ? `     * @param ${parameter.type} $fields\n` : ''
  const method = `    /**
     * ${operation.summary}.
     *
${fieldsLine}     * @return ${answerType(operation)}
     */
    public function ${operation.id}(${declared}): ${isFile ? 'FileContent' : 'array'}
    {
        return $this->call(${quoted(operation.id)}, ${given}${options});
    }
`
  if (operation.pageOf === undefined || typeof operation.answer === 'string') return method
  const item = typeOf(operation.answer.properties?.[operation.pageOf]?.items ?? {})
  return `${method}
    /**
     * ${operation.summary}: every item of every page.
     *
${fieldsLine}     * @return \\Generator<int, ${item}>
     */
    public function ${iteratorName(operation.id)}(${parameter?.declared ?? ''}): \\Generator
    {
        return $this->pages(${quoted(operation.id)}, ${given});
    }
`
}

function operationsFile({ schemas, operations }: ClientDocument): string {
  const shapes = Object.entries(schemas)
    .filter(([name]) => name !== RECURSIVE)
    .map(([name, schema]) => ` * @phpstan-type ${pascal(name)}Shape ${typeOf(schema)}\n`)
  return `<?php

${HEADER}
declare(strict_types=1);

namespace Switchboard\\Client\\Generated;

use Switchboard\\Client\\FileContent;

/**
 * Every call of the API. Fields are named as in the API.
 *
${shapes.join('')} */
abstract class Operations
{
    protected const OPERATIONS = [
${operations.map(rowOf).join('')}    ];

    /** @param array<string, mixed> $fields */
    abstract protected function call(string $id, array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): mixed;

    /** @param array<string, mixed> $fields */
    abstract protected function pages(string $id, array $fields): \\Generator;

${operations.filter(isCallable).map(methodOf).join('\n')}}
`
}

export const phpFiles = (document: ClientDocument): Record<string, string> => ({
  'clients/php/src/Generated/Operations.php': operationsFile(document),
})
