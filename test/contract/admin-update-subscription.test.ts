// PATCH /admin/v1/accounts/{id}/subscription
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, shared } from './fixture.ts'

contract('PATCH /admin/v1/accounts/{id}/subscription', (gateway) => {
  const account = shared(async () => (await gateway()).account())
  const change = async (body: Record<string, unknown>) =>
    (await gateway()).call('adminUpdateSubscription', { params: { id: (await account()).id }, body })

  test('200 updates each field alone and keeps omitted fields', async () => {
    const dates = {
      currentPeriodEnd: '2090-02-01T00:00:00.000Z',
      trialEndsAt: '2090-01-15T12:30:00.000Z',
      expiresAt: '2091-01-01T00:00:00.000Z',
    }
    let known = (await change({})).json.account.subscription
    for (const [name, value] of Object.entries(dates)) {
      const answer = await change({ [name]: value })
      assert.equal(answer.status, 200)
      const { subscription } = answer.json.account
      assert.deepEqual(
        { ...subscription, effectiveExpiry: null },
        { ...known, [name]: value, effectiveExpiry: null },
      )
      known = subscription
    }
    for (const name of Object.keys(dates))
      assert.equal((await change({ [name]: null })).json.account.subscription[name], null)
  })

  test('200 applies each status to the keys of the account within a second', async () => {
    const { clock } = await gateway()
    const mine = await account()
    const state = () => mine.call('createApiKey', { body: { name: 'Probe' } })
    for (const [status, expected] of [
      ['expired', 403],
      ['active', 200],
      ['pending', 403],
      ['past_due', 200],
      ['canceled', 403],
      ['trialing', 200],
    ] as const) {
      assert.equal((await change({ status })).json.account.subscription.status, status)
      clock.advance(1000)
      assert.equal((await state()).status, expected, status)
    }
    await change({ status: 'active' })
  })

  test('200 changes the plan', async () => {
    const running = await gateway()
    const mine = await running.account()
    const plan = (await running.call('adminCreatePlan', { body: { name: 'Bigger', amount: 5 } })).json.plan
    const answer = await running.call('adminUpdateSubscription', {
      params: { id: mine.id },
      body: { planId: plan.id },
    })
    assert.deepEqual(answer.json.account.plan, { id: plan.id, name: 'Bigger' })
    running.clock.advance(1000)
    assert.equal((await mine.call('accountLimits')).json.plan.amount, 5)
  })

  test('200 restarts the message count with a new start of the period', async () => {
    const running = await gateway()
    const limits = { users: 0, contacts: 0, instances: 1, messages: 1 }
    const mine = await running.account({ limits })
    const { name } = await running.openInstance(mine)
    const send = () =>
      mine.call('sendText', { body: { instanceName: name, number: '5511912345678', message: 'hi' } })
    assert.deepEqual([(await send()).status, (await send()).status], [200, 403])
    running.clock.advance(1000)
    const currentPeriodStart = new Date(running.clock.now()).toISOString()
    await running.call('adminUpdateSubscription', { params: { id: mine.id }, body: { currentPeriodStart } })
    running.clock.advance(1000)
    assert.deepEqual([(await send()).status, (await send()).status], [200, 403])
  })

  test('400 when a field is out of range', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ status: 'paused' }, 'status'],
      [{ planId: 0 }, 'planId'],
      [{ currentPeriodStart: null }, 'currentPeriodStart'],
      [{ currentPeriodEnd: 'soon' }, 'currentPeriodEnd'],
      [{ trialEndsAt: 5 }, 'trialEndsAt'],
      [{ expiresAt: '2026-01-01' }, 'expiresAt'],
      [{ hasAccess: true }, 'hasAccess'],
    ]
    for (const [body, path] of wrong) {
      const answer = await change(body)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the account or plan does not exist', async () => {
    const noPlan = await change({ planId: 999_999_999 })
    assert.deepEqual([noPlan.status, noPlan.json.reason], [404, 'plan_not_found'])
    const { call } = await gateway()
    const noAccount = await call('adminUpdateSubscription', {
      params: { id: 999_999_999 },
      body: { status: 'active' },
    })
    assert.deepEqual([noAccount.status, noAccount.json.reason], [404, 'account_not_found'])
  })
})
