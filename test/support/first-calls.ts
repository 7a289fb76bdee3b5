// The first calls of the README, against a gateway that only has a URL and a key.
import assert from 'node:assert/strict'

/** Creates an instance, links it to a phone, and sends a message to another phone. */
export async function sendToPhone(url: string, key: string): Promise<void> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const json = (await answer.json()) as Record<string, unknown>
    assert.ok(answer.ok, JSON.stringify(json))
    return json
  }
  const { instance } = await post('/api/v1/instance/create', { instanceName: 'Support' })
  const { apiInstanceName: instanceName } = instance as { apiInstanceName: string }
  await post('/sandbox/v1/phones', { number: '5511900000001', name: 'Support' })
  await post('/sandbox/v1/phones', { number: '5511912345678', name: 'Ana' })
  await post('/sandbox/v1/phones/5511900000001/scan', { instanceName })
  const message = { instanceName, number: '5511912345678', message: 'Hello', delay: 0 }
  const { status } = await post('/api/v1/send/text', message)
  assert.ok(status === 'sent' || status === 'delivered', String(status))
}
