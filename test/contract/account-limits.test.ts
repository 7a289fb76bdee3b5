// GET /account/limits
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOnEachEngine } from '../support/gateway.ts'
import { shared, UNLIMITED_PLAN } from './fixture.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than the result of a key lookup is cached. */
const REMEMBERED_MS = 1000

contractOnEachEngine('GET /account/limits', (gateway) => {
  test('200 returns account, plan, subscription, limits and features', async () => {
    const running = await gateway()
    const plan = {
      name: 'Starter',
      interval: 'week',
      currency: 'brl',
      amount: 2900,
      limits: { users: 3, contacts: 1000, instances: 1, messages: 5 },
      features: { ai: true, flowBuilder: false, campaigns: true, templates: false, voiceCalls: true },
    }
    const mine = await running.account(plan, { name: 'Acme' })
    const instance = await running.openInstance(mine)
    const body = { instanceName: instance.name, number: '5511912345678', message: 'hi' }
    for (let sent = 0; sent < 2; sent += 1) await mine.call('sendText', { body })
    const answer = await mine.call('accountLimits')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      account: { teamId: mine.id, teamName: 'Acme' },
      plan: { id: mine.planId, name: 'Starter', interval: 'week', currency: 'brl', amount: 2900 },
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
      limits: {
        users: { limit: 3, used: 0, remaining: 3, isLimitReached: false },
        contacts: { limit: 1000, used: 0, remaining: 1000, isLimitReached: false },
        instances: { limit: 1, used: 1, remaining: 0, isLimitReached: true },
        messages: { limit: 5, used: 2, remaining: 3, isLimitReached: false },
      },
      features: plan.features,
    })
  })

  test('200 returns Unlimited for limit and remaining, and still counts usage', async () => {
    const running = await gateway()
    const mine = await running.account({ limits: UNLIMITED_PLAN })
    await running.openInstance(mine)
    const { limits } = (await mine.call('accountLimits')).json
    assert.deepEqual(limits.instances, {
      limit: 'Unlimited',
      used: 1,
      remaining: 'Unlimited',
      isLimitReached: false,
    })
    for (const name of ['users', 'contacts', 'messages'])
      assert.deepEqual(limits[name], {
        limit: 'Unlimited',
        used: 0,
        remaining: 'Unlimited',
        isLimitReached: false,
      })
  })

  test('200 returns null for messages when the plan does not meter them, and sending is not limited', async () => {
    const running = await gateway()
    const mine = await running.account({ limits: { ...UNLIMITED_PLAN, messages: null } })
    const { name } = await running.openInstance(mine)
    const body = { instanceName: name, number: '5511912345678', message: 'hi' }
    assert.equal((await mine.call('sendText', { body })).status, 200)
    assert.equal((await mine.call('accountLimits')).json.limits.messages, null)
  })

  test('200 returns remaining 0 when the plan shrinks below the usage', async () => {
    const running = await gateway()
    const mine = await running.account()
    for (let made = 0; made < 2; made += 1) await running.openInstance(mine)
    const limits = { ...UNLIMITED_PLAN, instances: 1 }
    await running.call('adminUpdatePlan', { params: { id: mine.planId }, body: { limits } })
    running.clock.advance(REMEMBERED_MS)
    const answer = await mine.call('accountLimits')
    assert.deepEqual(answer.json.limits.instances, { limit: 1, used: 2, remaining: 0, isLimitReached: true })
    assert.equal((await mine.call('createInstance', { body: { instanceName: 'No' } })).status, 403)
  })

  test('200 restarts the message count in each period', async () => {
    const running = await gateway()
    const start = new Date(running.clock.now()).toISOString()
    const mine = await running.account(
      { interval: 'day', limits: { ...UNLIMITED_PLAN, messages: 1 } },
      { currentPeriodStart: start },
    )
    const { name } = await running.openInstance(mine)
    const send = () =>
      mine.call('sendText', { body: { instanceName: name, number: '5511912345678', message: 'hi' } })
    const used = async () => (await mine.call('accountLimits')).json.limits.messages.used
    assert.deepEqual([(await send()).status, (await send()).status, await used()], [200, 403, 1])
    running.clock.advance(DAY_MS)
    assert.equal(await used(), 0)
    assert.deepEqual([(await send()).status, (await send()).status, await used()], [200, 403, 1])
  })

  const account = shared(async () => (await gateway()).account())
  const subscription = async (change: Record<string, unknown>) => {
    const running = await gateway()
    const mine = await account()
    const cleared = { currentPeriodEnd: null, trialEndsAt: null, expiresAt: null }
    const changed = await running.call('adminUpdateSubscription', {
      params: { id: mine.id },
      body: { ...cleared, ...change },
    })
    assert.equal(changed.status, 200)
    running.clock.advance(REMEMBERED_MS)
    const answer = await mine.call('accountLimits')
    assert.equal(answer.status, 200)
    return answer.json.subscription
  }
  const at = async (offsetMs: number) => new Date((await gateway()).clock.now() + offsetMs).toISOString()

  test('200 returns the flag and the access of each subscription status', async () => {
    const expected = {
      active: ['', true],
      trialing: ['isTrial', true],
      past_due: ['isPastDue', true],
      canceled: ['isCancelled', false],
      expired: ['isExpired', false],
      pending: ['isPending', false],
    } as const
    for (const [status, [flag, hasAccess]] of Object.entries(expected)) {
      const { hasAccess: has, ...shown } = await subscription({ status })
      assert.equal(shown.status, status)
      assert.equal(has, hasAccess, status)
      const raised = Object.keys(shown).filter((name) => name.startsWith('is') && shown[name])
      assert.deepEqual(raised, flag === '' ? [] : [flag])
    }
  })

  test('200 ends a trial at trialEndsAt', async () => {
    const soon = await at(DAY_MS)
    const running = await subscription({ status: 'trialing', trialEndsAt: soon })
    assert.deepEqual(
      [running.hasAccess, running.isExpired, running.trialEndsAt, running.effectiveExpiry],
      [true, false, soon, soon],
    )
    const ended = await subscription({ status: 'trialing', trialEndsAt: await at(-DAY_MS) })
    assert.deepEqual([ended.hasAccess, ended.isExpired, ended.isTrial], [false, true, true])
  })

  test('200 keeps a canceled subscription active until currentPeriodEnd', async () => {
    const soon = await at(DAY_MS)
    const running = await subscription({ status: 'canceled', currentPeriodEnd: soon })
    assert.deepEqual(
      [
        running.hasAccess,
        running.isCancelled,
        running.isExpired,
        running.currentPeriodEnd,
        running.effectiveExpiry,
      ],
      [true, true, false, soon, soon],
    )
    const ended = await subscription({ status: 'canceled', currentPeriodEnd: await at(-DAY_MS) })
    assert.deepEqual([ended.hasAccess, ended.isExpired], [false, true])
  })

  test('200 ends any status at expiresAt; the earliest end counts', async () => {
    const [sooner, later] = [await at(DAY_MS), await at(2 * DAY_MS)]
    const both = await subscription({ status: 'trialing', trialEndsAt: later, expiresAt: sooner })
    assert.deepEqual([both.effectiveExpiry, both.expiresAt], [sooner, sooner])
    const ended = await subscription({ status: 'active', expiresAt: await at(-1000) })
    assert.deepEqual([ended.hasAccess, ended.isExpired], [false, true])
    await subscription({ status: 'active' })
  })

  test('200 ends access exactly at the end, without any request', async () => {
    const running = await gateway()
    const mine = await running.account({}, { status: 'trialing', trialEndsAt: await at(60_000) })
    assert.equal((await mine.call('createInstance', { body: { instanceName: 'In time' } })).status, 200)
    running.clock.advance(60_000)
    const refused = await mine.call('createInstance', { body: { instanceName: 'Too late' } })
    assert.equal(refused.json.reason, 'subscription_inactive')
    assert.equal((await mine.call('accountLimits')).json.subscription.hasAccess, false)
  })
})
