import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatForms } from './rules.ts'

test('a phone jid gets every form of its number; lids and groups stay as they are', () => {
  assert.deepEqual(chatForms(['5511987654321@s.whatsapp.net', '2@lid', '1203@g.us']), [
    '5511987654321@s.whatsapp.net',
    '551187654321@s.whatsapp.net',
    '2@lid',
    '1203@g.us',
  ])
})

test('each form is listed once', () => {
  const both = ['5511987654321@s.whatsapp.net', '551187654321@s.whatsapp.net']
  assert.deepEqual(chatForms(both), both)
  assert.deepEqual(chatForms([]), [])
})
