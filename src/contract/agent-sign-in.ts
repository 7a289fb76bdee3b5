// Signing in of agents that accept only OAuth 2.1: the calls of the authorization page, which a person makes on the dashboard. What the agent
// itself calls is in src/doors/mcp/sign-in.ts.
import { z } from 'zod'
import { success, timestamp } from './fields.ts'
import { endpoint } from './route.ts'
import { AGENT_SCOPES } from './wall-values.ts'
import { wallFields } from './walls.ts'

/** What the agent has put into the address of the authorization page. */
const request = {
  responseType: z.literal('code'),
  clientId: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: 'URL of the client metadata document of the agent' }),
  redirectUri: z.string().min(1).max(1000),
  codeChallenge: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'expected the SHA-256 of the verifier in base64url' }),
  codeChallengeMethod: z.literal('S256', { error: 'expected S256' }),
  state: z.string().max(2000).optional(),
  resourceUrl: z.string().max(500).optional(),
  scope: z.string().max(500).optional(),
}
const scopes = z.array(z.enum(AGENT_SCOPES)).min(1).max(AGENT_SCOPES.length)

const example = {
  responseType: 'code',
  clientId: 'https://agent.example.com/client.json',
  redirectUri: 'https://agent.example.com/callback',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeChallengeMethod: 'S256',
} as const

const common = { tag: 'API keys' } as const

export const reviewAgentSignIn = endpoint({
  ...common,
  summary: 'Check the sign-in that an agent requests, for the authorization page',
  description: 'Reads the client metadata document of the agent. Nothing is granted.',
  body: z.strictObject(request).meta({ id: 'ReviewAgentSignIn', examples: [example] }),
  answer: z.object({
    success,
    agent: z
      .object({
        name: z.string().meta({ description: 'As the agent calls itself: not verified' }),
        clientHost: z.string().meta({ description: 'The host that published the document' }),
        redirectHost: z.string().meta({ description: 'The host that gets the code' }),
        isLocal: z
          .boolean()
          .meta({ description: 'The code goes to a program on the computer of the person' }),
        scopes,
      })
      .meta({ id: 'RequestingAgent' }),
    refusalUrl: z.string().meta({ description: 'Where the browser goes if the person refuses' }),
  }),
  reasons: [],
})

export const grantAgentSignIn = endpoint({
  ...common,
  summary: 'Allow the sign-in of an agent: returns where the browser goes with a code for a key with walls',
  description:
    'The code is valid for one minute, once, and only together with the verifier of the agent. The key is made when the agent ' +
    'exchanges the code; it is in the list of keys and can be revoked there. It needs at least one wall.',
  body: z
    .strictObject({
      ...request,
      scopes,
      ...wallFields,
      expiresAt: timestamp.nullable().default(null),
    })
    .meta({ id: 'GrantAgentSignIn', examples: [{ ...example, scopes: ['read', 'send'], approval: true }] }),
  answer: z.object({ success, redirectUrl: z.string() }),
  reasons: [],
})
