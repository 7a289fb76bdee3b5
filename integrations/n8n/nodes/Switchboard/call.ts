// One call for one item: its values, its request, its answer.
import { createHash } from 'node:crypto'
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import { authenticated } from '../api.ts'
import { ROWS } from './generated/rows.ts'
import { type CallRequest, requestOf, type Values } from './request.ts'
import type { Row } from './table.ts'

/** The largest page of every list. */
const PAGE_SIZE = 100

export async function call(node: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const operation = node.getNodeParameter('operation', itemIndex) as string
  const row = ROWS.find(({ id }) => id === operation)
  if (row === undefined)
    throw new NodeOperationError(node.getNode(), `There is no operation ${operation}`, { itemIndex })
  const values = valuesOf(node, itemIndex, row)
  const request = requestOf(row, values, node.getTimezone())
  const pairedItem = { item: itemIndex }
  if (row.pageOf !== undefined) {
    const found = await readPages(node, itemIndex, row, request, row.pageOf)
    return found.map((json) => ({ json, pairedItem }))
  }
  const options = await optionsOf(node, itemIndex, row, request, values)
  const { body, headers } = await authenticated(node, options, { itemIndex })
  if (row.answersFile !== true) return [{ json: body as IDataObject, pairedItem }]
  const name = node.getNodeParameter('binaryProperty', itemIndex) as string
  const type = String(headers['content-type'] ?? 'application/octet-stream').split(';')[0]
  const file = await node.helpers.prepareBinaryData(body as Buffer, undefined, type)
  return [{ json: {}, binary: { [name]: file }, pairedItem }]
}

function valuesOf(node: IExecuteFunctions, itemIndex: number, row: Row): Values {
  const required = row.fields
    .filter((field) => field.required)
    .map(({ name }) => [name, node.getNodeParameter(name, itemIndex)] as const)
  const additional = node.getNodeParameter('additionalFields', itemIndex, {}) as IDataObject
  return { ...additional, ...Object.fromEntries(required) }
}

async function optionsOf(
  node: IExecuteFunctions,
  itemIndex: number,
  row: Row,
  request: CallRequest,
  { idempotencyKey, waitSeconds }: Values,
): Promise<IHttpRequestOptions> {
  const headers: IDataObject = {}
  if (row.isIdempotent)
    headers['Idempotency-Key'] =
      (idempotencyKey as string | undefined) || keyOf(node, itemIndex, row, request)
  if (row.waits && typeof waitSeconds === 'number') headers['Prefer'] = `wait=${waitSeconds}`
  const options: IHttpRequestOptions = { method: row.method, url: request.path, qs: request.query, headers }
  if (row.answersFile) options.encoding = 'arraybuffer'
  if (row.body !== 'file')
    return request.body === undefined ? options : { ...options, body: request.body as IDataObject }
  const name = node.getNodeParameter('binaryProperty', itemIndex) as string
  headers['Content-Type'] = node.helpers.assertBinaryData(itemIndex, name).mimeType
  return { ...options, body: await node.helpers.getBinaryDataBuffer(itemIndex, name) }
}

/** The same for each retry of the node, so that nothing is sent twice; another one for each execution, run, item and content. */
function keyOf(node: IExecuteFunctions, itemIndex: number, row: Row, request: CallRequest): string {
  const { $runIndex } = node.getWorkflowDataProxy(itemIndex)
  const cause = [node.getExecutionId(), node.getNode().id, $runIndex, itemIndex, row.id, request]
  return `n8n ${createHash('sha256').update(JSON.stringify(cause)).digest('hex')}`
}

async function readPages(
  node: IExecuteFunctions,
  itemIndex: number,
  row: Row,
  request: CallRequest,
  list: string,
): Promise<IDataObject[]> {
  const wanted = node.getNodeParameter('returnAll', itemIndex)
    ? Number.POSITIVE_INFINITY
    : (node.getNodeParameter('limit', itemIndex) as number)
  const found: IDataObject[] = []
  const limit = Math.min(wanted, PAGE_SIZE)
  for (let page = 1; found.length < wanted; page++) {
    const qs = { ...request.query, page, limit }
    const { body } = await authenticated(node, { method: row.method, url: request.path, qs }, { itemIndex })
    const answer = body as IDataObject
    found.push(...(answer[list] as IDataObject[]))
    if (answer['hasMore'] !== true) break
  }
  return found.slice(0, wanted)
}
