// The address of a gateway and a key of it.
import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow'

export class SwitchboardApi implements ICredentialType {
  name = 'switchboardApi'

  displayName = 'Switchboard API'

  icon: Icon = { light: 'file:../icons/switchboard.svg', dark: 'file:../icons/switchboard.dark.svg' }

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-switchboard'

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://gateway.example.com',
      required: true,
      description: 'Address of your gateway, without /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key of your account, with the scopes of the operations that you use',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl}}',
      url: '/api/v1/instance/list',
    },
  }
}
