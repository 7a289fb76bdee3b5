// The node with an action for every call of the API.
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow'
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow'
import { call } from './call.ts'
import { ROWS } from './generated/rows.ts'
import { propertiesOf } from './properties.ts'
import { FieldError } from './request.ts'

export class Switchboard implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Switchboard',
    name: 'switchboard',
    icon: { light: 'file:../../icons/switchboard.svg', dark: 'file:../../icons/switchboard.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Send and read messages with the Switchboard gateway',
    defaults: { name: 'Switchboard' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'switchboardApi', required: true }],
    properties: propertiesOf(ROWS) as INodeProperties[],
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
      try {
        results.push(...(await call(this, itemIndex)))
      } catch (error) {
        const failure =
          error instanceof FieldError ? new NodeOperationError(this.getNode(), error, { itemIndex }) : error
        if (!this.continueOnFail()) throw failure
        const json: IDataObject = { error: failure.message }
        results.push({ json, error: failure, pairedItem: { item: itemIndex } })
      }
    }
    return [results]
  }
}
