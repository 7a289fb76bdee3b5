// How a tool for agents is declared: the routes of this API that it uses, its fields, and its work. A tool exists for a key that may
// use all of its routes.
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Client } from '../../contract/client.ts'
import type { RouteId } from '../../contract/routes.ts'

export interface ToolContext {
  /** With the key of the agent: every call is admitted as any other request. */
  api: Client
  /** Aborted when the agent stops waiting. */
  signal: AbortSignal
}

/** What the agent reads, and the same as data. */
export interface ToolResult<Output> {
  text: string
  data: Output
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  uses: readonly RouteId[]
  input: Input
  output: Output
  annotations: ToolAnnotations
  run(context: ToolContext, input: z.output<Input>): Promise<ToolResult<z.input<Output>>>
}

/** Where a person approves sends, below the address of the gateway: a page of the dashboard. */
export const APPROVALS_PAGE = '/conversations/approvals'

/** Types the work by the schemas. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: Tool<Input, Output>,
): Tool => declared

/** The tool only reads. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: true }
/** The tool sends something to people, which cannot be undone. The same call twice sends it twice. */
export const SENDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}
/** The tool changes something that can be changed back. */
export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}
