// The request of an agent in the address of the authorization page, with the field names of the API.

const FIELDS = {
  response_type: 'responseType',
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  state: 'state',
  resource: 'resourceUrl',
  scope: 'scope',
} as const

/** The gateway checks the values. Fields that it does not know mean nothing to it, as the protocol wants. */
export function requestIn(search: string): Record<string, string> {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, field]) => {
      const values = parameters.getAll(name)
      // A field that is given twice is ambiguous: it is left out, and the gateway refuses the request.
      return values.length === 1 ? [[field, values[0] ?? '']] : []
    }),
  )
}
