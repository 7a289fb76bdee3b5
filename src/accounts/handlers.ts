// Limits, keys and audit list of an account; plans, accounts, users and keys for the operator; signing in to the dashboard.

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Deps } from '../context.ts'
import type { SignedIn, SignInKind } from '../contract/session.ts'
import { listAllInstances } from '../instances/instances.ts'
import { pagedAnswer } from '../kernel/http/paged-answer.ts'
import type { Handlers, RequestContext } from '../request-handler.ts'
import * as accounts from './accounts.ts'
import { readAccountLimits } from './accounts.ts'
import { grantAgent, reviewAgent } from './agent-sign-in.ts'
import * as keys from './api-keys.ts'
import { shownWalls } from './api-keys.ts'
import { listAudit } from './audit.ts'
import type { Auth } from './authenticate.ts'
import { apiKeyId, type KeyHolder } from './caller.ts'
import * as plans from './plans.ts'
import { requireCsrfToken, type SignIn, type SignIns, setCookie } from './sign-in.ts'
import * as users from './users.ts'

// The account's limits, API keys and audit list.

export interface AuditDeps {
  auditLog: { flush(): Promise<void> }
}

export const accountHandlers = (deps: AuditDeps & Pick<Deps, 'store' | 'clock' | 'readClientDocument'>) =>
  ({
    async listAudit({ caller }, { query }) {
      // The calls before this one are in the list.
      await deps.auditLog.flush()
      return pagedAnswer('entries', query, await listAudit(deps, caller, query))
    },
    reviewAgentSignIn: async (context, { body }) =>
      reviewAgent(deps, { ...context.caller, origin: context.checkedOrigin }, body),
    async grantAgentSignIn(context, { body }) {
      const { caller, checkedOrigin: origin, setHeader } = context
      setHeader('Cache-Control', 'no-store')
      return { redirectUrl: await grantAgent(deps, { ...caller, origin }, body) }
    },
    accountLimits: ({ caller }) => readAccountLimits(deps, caller),

    async listApiKeys({ caller }) {
      const apiKeys = await keys.listApiKeys(deps, caller.account.id)
      return { count: apiKeys.length, apiKeys }
    },
    currentApiKey: ({ caller }) => keys.currentApiKey(deps, caller),
    createApiKey: ({ caller }, { body }) => keys.createApiKey(deps, caller.account.id, body, caller),
    async revokeApiKey({ caller }, { params }) {
      return { apiKey: await keys.revokeApiKey(deps, caller.account.id, params.id, caller) }
    },
    rotateApiKey: ({ caller }, { params, body }) =>
      keys.rotateApiKey(deps, caller.account.id, params.id, body.overlapHours, caller),
  }) satisfies Partial<Handlers>

// The operator's endpoints: plans, accounts, users and keys of all accounts.

export const gatewayHandlers = ({ store, hold }: Pick<Deps, 'store' | 'hold'>) =>
  ({
    adminResume: async () => ({ resumed: await hold.resume() }),

    async adminListInstances({ origin }, { query }) {
      return pagedAnswer('instances', query, await listAllInstances({ store }, query, origin))
    },
  }) satisfies Partial<Handlers>

export const planHandlers = (deps: Pick<Deps, 'store' | 'clock'>) =>
  ({
    async adminListPlans(_context, { query }) {
      return pagedAnswer('plans', query, await plans.listPlans(deps, query))
    },
    async adminCreatePlan(_context, { body }) {
      return { plan: await plans.createPlan(deps, body) }
    },
    async adminGetPlan(_context, { params }) {
      return { plan: await plans.getPlan(deps, params.id) }
    },
    async adminUpdatePlan(_context, { params, body }) {
      return { plan: await plans.updatePlan(deps, params.id, body) }
    },
    async adminDeletePlan(_context, { params }) {
      await plans.deletePlan(deps, params.id)
      return { id: params.id }
    },
  }) satisfies Partial<Handlers>

export const accountAdminHandlers = (deps: Pick<Deps, 'store' | 'clock' | 'vault' | 'files'>) =>
  ({
    async adminListAccounts(_context, { query }) {
      return pagedAnswer('accounts', query, await accounts.listAccounts(deps, query))
    },
    adminCreateAccount: (_context, { body: { name, ...subscription } }) =>
      accounts.createAccount(deps, name, subscription),
    async adminGetAccount(_context, { params }) {
      return { account: await accounts.getAccount(deps, params.id) }
    },
    async adminUpdateAccount(_context, { params, body }) {
      return { account: await accounts.renameAccount(deps, params.id, body.name) }
    },
    async adminDeleteAccount(_context, { params }) {
      await accounts.deleteAccount(deps, params.id)
      return { id: params.id }
    },
    async adminUpdateSubscription(_context, { params, body }) {
      return { account: await accounts.updateSubscription(deps, params.id, body) }
    },
  }) satisfies Partial<Handlers>

export const userHandlers = (deps: Pick<Deps, 'store' | 'clock'>) =>
  ({
    async adminListUsers(_context, { params, query }) {
      return pagedAnswer('users', query, await users.listUsers(deps, params.id, query))
    },
    async adminCreateUser(_context, { params, body }) {
      return { user: await users.createUser(deps, params.id, body) }
    },
    async adminUpdateUser(_context, { params, body }) {
      return { user: await users.updateUser(deps, params.id, params.userId, body) }
    },
    async adminDeleteUser(_context, { params }) {
      await users.deleteUser(deps, params.id, params.userId)
      return { id: params.userId }
    },
  }) satisfies Partial<Handlers>

export const keyAdminHandlers = (deps: Pick<Deps, 'store' | 'clock'>) =>
  ({
    async adminListKeys(_context, { params }) {
      await accounts.requireAccount(deps.store.db, params.id)
      const apiKeys = await keys.listApiKeys(deps, params.id)
      return { count: apiKeys.length, apiKeys }
    },
    async adminCreateKey(_context, { params, body }) {
      await accounts.requireAccount(deps.store.db, params.id)
      return keys.createApiKey(deps, params.id, body)
    },
    async adminRevokeKey(_context, { params }) {
      return { apiKey: await keys.revokeApiKey(deps, params.id, params.keyId) }
    },
    adminRotateKey: (_context, { params, body }) =>
      keys.rotateApiKey(deps, params.id, params.keyId, body.overlapHours),
  }) satisfies Partial<Handlers>

// Signing in to the dashboard and out of it: a key is exchanged for a cookie (decision 0040).

export interface SessionDeps {
  auth: Auth
  signIns: SignIns
  network: 'sandbox' | 'whatsapp'
  publicUrl: string | undefined
}

type Context = RequestContext & { request: FastifyRequest }

export function sessionHandlers({ auth, signIns, network, publicUrl }: SessionDeps) {
  const write = ({ request, setHeader }: Context, kind: SignInKind, value?: string): void => {
    setHeader('Set-Cookie', setCookie(kind, value, isSecure(request, publicUrl)))
    setHeader('Cache-Control', 'no-store')
  }
  const accountOf = (signIn: SignIn, caller: KeyHolder): z.output<typeof SignedIn> => ({
    ...common(signIn),
    account: { id: caller.account.id, name: caller.account.name },
    keyId: apiKeyId(caller),
    scopes: [...caller.scopes],
    ...shownWalls(caller.walls),
    network,
  })
  return {
    async signIn(context, { body: { key } }) {
      const caller = await auth.callerOfKey(context.request, key)
      const { signIn, sealed } = signIns.create('account', key)
      write(context, 'account', sealed)
      return { signedIn: accountOf(signIn, caller) }
    },
    async signedIn({ request, setHeader }) {
      setHeader('Cache-Control', 'no-store')
      const found = await auth.callerOfCookie(request)
      return { signedIn: found ? accountOf(found.signIn, found.caller) : null }
    },
    async signOut(context) {
      // The store is not read: signing out also works after the key was deleted.
      const signIn = auth.signInOf(context.request, 'account')
      if (signIn) requireCsrfToken(context.request, signIn)
      write(context, 'account')
      return {}
    },
    async operatorSignIn(context, { body: { key } }) {
      auth.operatorOfKey(context.request, key)
      const { signIn, sealed } = signIns.create('operator', key)
      write(context, 'operator', sealed)
      return { signedIn: common(signIn) }
    },
    async operatorSignedIn({ request, setHeader }) {
      setHeader('Cache-Control', 'no-store')
      const signIn = auth.operatorOfCookie(request)
      return { signedIn: signIn ? common(signIn) : null }
    },
    async operatorSignOut(context) {
      const signIn = auth.signInOf(context.request, 'operator')
      if (signIn) requireCsrfToken(context.request, signIn)
      write(context, 'operator')
      return {}
    },
  } satisfies Partial<Handlers>
}

const common = ({ csrfToken, expiresAt }: SignIn) => ({
  csrfToken,
  expiresAt: new Date(expiresAt).toISOString(),
})

/** The scheme that a proxy reports is trusted here: it can only make a cookie stricter. */
const isSecure = (request: FastifyRequest, publicUrl: string | undefined): boolean =>
  request.protocol === 'https' ||
  request.headers['x-forwarded-proto'] === 'https' ||
  publicUrl?.startsWith('https:') === true
