import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Client } from './support/client.ts'
import { ALICE, BOB, CAROL, DAVE, jid, type People, startPeople } from './support/people.ts'
import type { World } from './support/world.ts'

for (const addressing of ['pn', 'lid'] as const)
  describe(`groups of two clients and phones (${addressing})`, () => {
    let people: People<[string, string]>
    let world: World
    let alice: Client
    let bob: Client
    let group: string
    before(async () => {
      people = await startPeople(addressing, [ALICE, BOB])
      ;({ world } = people)
      ;[alice, bob] = people.clients
      const created = await alice.socket.groupCreate('Friends', [jid(BOB), jid(CAROL)])
      group = created.id
      assert.equal(created.addressingMode, addressing)
    })
    after(() => people.stop())

    test('all members are notified of a new group', async () => {
      const upserts = await bob.wait('groups.upsert', ([upsert]) => upsert?.id === group)
      assert.equal(upserts[0]?.subject, 'Friends')
      const all = await bob.socket.groupFetchAllParticipating()
      assert.deepEqual(all[group]?.participants.length, 3)
      assert.deepEqual(
        (await world.get(`/groups/${group}`, answers.group)).group.members.find((m) => m.number === ALICE)
          ?.role,
        'superadmin',
      )
    })

    test('a message from a client reaches the other client and the phones, which send receipts', async () => {
      const sent = await alice.socket.sendMessage(group, { text: 'hello all' })
      const id = sent?.key.id ?? ''
      assert.equal((await bob.message(id)).message?.extendedTextMessage?.text, 'hello all')
      const shown = await world.shown(CAROL, id)
      assert.deepEqual([shown.text, shown.chat, shown.from], ['hello all', group, ALICE])
      assert.equal((await world.shown(ALICE, id)).fromMe, true)
      await alice.wait('message-receipt.update', (all) =>
        all.some(({ key, receipt }) => key.id === id && receipt.receiptTimestamp),
      )
      await world.post(`/phones/${CAROL}/read`, { chat: group })
      await alice.wait('message-receipt.update', (all) =>
        all.some(({ key, receipt }) => key.id === id && receipt.readTimestamp),
      )
    })

    test('messages from a phone reach both clients; the second one needs no new sender key', async () => {
      for (const text of ['first', 'second']) {
        const id = await world.send(CAROL, { to: group, text })
        assert.equal((await alice.message(id)).message?.conversation, text)
        const { key, message } = await bob.message(id)
        assert.deepEqual([key.remoteJid, message?.conversation], [group, text])
        assert.ok(key.participant?.endsWith(addressing === 'lid' ? '@lid' : '@s.whatsapp.net'))
        assert.ok(key.participantAlt?.endsWith(addressing === 'lid' ? '@s.whatsapp.net' : '@lid'))
      }
    })

    test('members can be added, promoted, demoted and removed; all members are notified of each change', async () => {
      const [outcome] = await alice.socket.groupParticipantsUpdate(group, [jid(DAVE)], 'add')
      assert.equal(outcome?.status, '200')
      await bob.wait('group-participants.update', ({ action }) => action === 'add')
      const joined = await world.send(DAVE, { to: group, text: 'thanks' })
      assert.equal((await bob.message(joined)).message?.conversation, 'thanks')
      await alice.message(joined)
      const keyBefore = senderKeyIds(alice, group).at(-1)
      await world.post(`/groups/${group}/members`, { change: 'promote', members: [DAVE] })
      await bob.wait('group-participants.update', ({ action }) => action === 'promote')
      await world.post(`/groups/${group}/members`, { by: DAVE, change: 'remove', members: [CAROL] })
      await bob.wait('group-participants.update', ({ action }) => action === 'remove')
      const refused = await world.ask('POST', `/phones/${CAROL}/send`, { to: group, text: 'still here?' })
      assert.equal(refused.body['reason'], 'not_a_member')
      const after = await world.send(DAVE, { to: group, text: 'without Carol' })
      assert.equal((await alice.message(after)).message?.conversation, 'without Carol')
      assert.notEqual(
        senderKeyIds(alice, group).at(-1),
        keyBefore,
        'Carol could still decrypt with the key she has',
      )
      assert.equal(
        (await world.messages(CAROL)).some((message) => message.id === after),
        false,
      )
      await world.post(`/groups/${group}/members`, { change: 'demote', members: [DAVE] })
      await bob.wait('group-participants.update', ({ action }) => action === 'demote')
    })

    test('changes of subject, description and settings reach all members; only admins change settings', async () => {
      await alice.socket.groupUpdateSubject(group, 'Old friends')
      await bob.wait('groups.update', (all) => all.some((update) => update.subject === 'Old friends'))
      await alice.socket.groupUpdateDescription(group, 'since school')
      await bob.wait('groups.update', (all) => all.some((update) => update.desc === 'since school'))
      const answer = await world.ask('PATCH', `/groups/${group}`, { announcement: true })
      assert.equal(answer.status, 200)
      await bob.wait('groups.update', (all) => all.some((update) => update.announce === true))
      const metadata = await bob.socket.groupMetadata(group)
      assert.deepEqual(
        [metadata.subject, metadata.desc, metadata.announce],
        ['Old friends', 'since school', true],
      )
      await assert.rejects(bob.socket.groupSettingUpdate(group, 'not_announcement'), /forbidden/)
      await world.ask('PATCH', `/groups/${group}`, { announcement: false })
    })

    test('a member that has left receives nothing more', async () => {
      await bob.socket.groupLeave(group)
      await alice.wait('group-participants.update', ({ participants }) =>
        participants.some((person) => [person.id, person.phoneNumber].includes(jid(BOB))),
      )
      await assert.rejects(bob.socket.groupMetadata(group), /forbidden/)
      const id = await world.send(DAVE, { to: group, text: 'gone?' })
      await alice.message(id)
      assert.deepEqual(await world.frames(`id=${id}&number=${BOB}`), [])
    })
  })

/** The ids of the sender keys that the client has from the last sender in the group, oldest first. */
function senderKeyIds(client: Client, group: string): unknown[] {
  const entries = [...client.keys.data].filter(([name]) => name.startsWith(`sender-key ${group}`))
  const [, text = ''] = entries.at(-1) ?? []
  const { data } = JSON.parse(text) as { data: string }
  const states = JSON.parse(Buffer.from(data, 'base64').toString()) as { senderKeyId: unknown }[]
  return states.map((state) => state.senderKeyId)
}
