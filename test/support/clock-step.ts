// A clock that is set forward by an hour while the server runs: what must go on as if nothing had happened (decision 0115).
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { api, type LinkedGateway, until, untilReceived, updatesOf, world } from './linked.ts'
import type { ClockOrder } from './short-lease-server.ts'

export const HOUR_MS = 3_600_000
/** Several keep-alives of a connection: the network library would close it as silent for an hour. */
export const SHORT_KEEP_ALIVE = { SHORT_KEEP_ALIVE_MS: '1000' }

export function setClock({ child }: { child: ChildProcess }, byMs: number): void {
  child.send({ setClockByMs: byMs } satisfies ClockOrder)
}

interface Readiness {
  clock: { state: string; differenceMs: number }
}

export const clockOf = async ({ url }: { url: string }): Promise<Readiness['clock']> =>
  ((await (await fetch(`${url}/readyz`)).json()) as Readiness).clock

export const untilClock = (server: { url: string }, state: string) =>
  until(`the clock is ${state}`, async () => {
    const clock = await clockOf(server)
    return clock.state === state ? clock : undefined
  })

export const metricOf = async ({ url }: { url: string }, series: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  )
}

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

export interface Talk {
  /** Where calls are made. */
  gateway: LinkedGateway
  name: string
  owner: string
  friend: string
}

/** Messages that are due later, one of which expires then, and one that is due soon; and the events of the connection until now. */
export async function schedule({ gateway, name, friend }: Talk) {
  const send = async (message: string, more: object): Promise<string> => {
    const body = { instanceName: name, number: friend, message, delay: 0, ...more }
    return (await api(gateway, 'POST /send/text', body)).messageId
  }
  return {
    updates: await updatesOf(gateway, name),
    soon: await send('soon', { sendAt: inMs(8000) }),
    later: [
      await send('in half an hour', { sendAt: inMs(HOUR_MS / 2) }),
      await send('not after half an hour', { sendAt: inMs(HOUR_MS / 4), expiresAt: inMs(HOUR_MS / 2) }),
    ],
  }
}

/** The connection stays open, both directions work, and what is scheduled is sent at its time, neither early nor expired. */
export async function expectNormal(
  talk: Talk,
  { updates, soon, later }: Awaited<ReturnType<typeof schedule>>,
): Promise<void> {
  const { gateway, name, owner, friend } = talk
  for (const text of ['one', 'two']) {
    const body = { instanceName: name, number: friend, message: text, delay: 0 }
    const { messageId } = await api(gateway, 'POST /send/text', body)
    await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
    await world(gateway, `POST /phones/${friend}/send`, { to: owner, text: `re: ${text}` })
    await untilReceived(gateway, name, `re: ${text}`)
    const { message } = await api(gateway, `GET /messages/${messageId}`)
    assert.ok(Math.abs(Date.parse(message.createdAt) - Date.now()) < HOUR_MS / 2, message.createdAt)
  }
  await world(gateway, `GET /phones/${friend}/messages/${soon}?waitMs=30000`)
  const due = await until('the outcome', async () => {
    const { message } = await api(gateway, `GET /messages/${soon}`)
    return message.sentAt === null ? undefined : message
  })
  assert.ok(Date.parse(due.sentAt) >= Date.parse(due.sendAt), `${due.sentAt} is before ${due.sendAt}`)
  assert.equal(due.late, false)
  for (const id of later)
    assert.equal((await api(gateway, `GET /messages/${id}`)).message.status, 'scheduled')
  assert.deepEqual(await updatesOf(gateway, name), updates, 'the connection was not closed')
}
