// POST /admin/v1/accounts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'

contract('POST /admin/v1/accounts', (gateway) => {
  const plan = shared(async () => {
    const made = await (await gateway()).call('adminCreatePlan', { body: { name: 'Starter' } })
    return made.json.plan as { id: number }
  })
  const create = async (body: Record<string, unknown>) =>
    (await gateway()).call('adminCreateAccount', {
      body: { name: 'Acme', planId: (await plan()).id, ...body },
    })

  test('200 creates an active account with its plan and a first key that works', async () => {
    const { call, clock } = await gateway()
    const before = clock.now()
    const answer = await create({})
    assert.equal(answer.status, 200)
    const { account, key } = answer.json
    assert.match(key, /^sk_[0-9A-Za-z]{38}$/)
    assert.ok(Date.parse(account.createdAt) >= before)
    assert.deepEqual(account, {
      id: account.id,
      name: 'Acme',
      plan: { id: (await plan()).id, name: 'Starter' },
      subscription: {
        status: 'active',
        hasAccess: true,
        isExpired: false,
        isTrial: false,
        isCancelled: false,
        isPending: false,
        isPastDue: false,
        effectiveExpiry: null,
        currentPeriodEnd: null,
        trialEndsAt: null,
        expiresAt: null,
      },
      createdAt: account.createdAt,
      updatedAt: account.createdAt,
    })
    const limits = await call('accountLimits', { key })
    assert.deepEqual(limits.json.account, { teamId: account.id, teamName: 'Acme' })
  })

  test('200 accepts subscription fields', async () => {
    const dates = {
      currentPeriodEnd: '2031-02-01T00:00:00.000Z',
      trialEndsAt: '2030-01-15T12:30:00.000Z',
      expiresAt: '2032-01-01T00:00:00.000Z',
    }
    const { account } = (
      await create({ status: 'trialing', currentPeriodStart: '2030-01-01T00:00:00Z', ...dates })
    ).json
    const { status, isTrial, currentPeriodEnd, trialEndsAt, expiresAt, effectiveExpiry } =
      account.subscription
    assert.deepEqual([status, isTrial, effectiveExpiry], ['trialing', true, dates.trialEndsAt])
    assert.deepEqual({ currentPeriodEnd, trialEndsAt, expiresAt }, dates)
  })

  test('400 when a field is missing or out of range', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(129) }, 'name'],
      [{ planId: undefined }, 'planId'],
      [{ planId: 0 }, 'planId'],
      [{ planId: '1' }, 'planId'],
      [{ status: 'paused' }, 'status'],
      [{ currentPeriodStart: null }, 'currentPeriodStart'],
      [{ currentPeriodEnd: 'soon' }, 'currentPeriodEnd'],
      [{ trialEndsAt: 5 }, 'trialEndsAt'],
      [{ expiresAt: '2026-13-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '2026-01-01T00:00:00+02:00' }, 'expiresAt'],
    ]
    for (const [fields, path] of wrong) {
      const answer = await create(fields)
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the plan does not exist', async () => {
    const answer = await create({ planId: 999_999_999 })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'plan_not_found')
  })
})
