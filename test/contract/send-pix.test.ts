// POST /send/pix
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const valid = { merchantName: 'Padaria Central', keyType: 'email', key: 'shop@example.com' }

contract('POST /send/pix', (gateway) => {
  const fixture = sendRules(gateway, {
    id: 'sendPix',
    type: 'pix',
    drawsDelay: false,
    to: 'number',
  })

  stores(fixture, 'sendPix', 'stores the key in the form that banks compare', [
    [valid, valid],
    [
      { ...valid, keyType: 'cnpj', key: '11.222.333/0001-81' },
      { ...valid, keyType: 'cnpj', key: '11222333000181' },
    ],
    [
      { ...valid, keyType: 'phone', key: '(11) 91234-5678' },
      { ...valid, keyType: 'phone', key: '+5511912345678' },
    ],
  ])

  refuses(fixture, 'sendPix', 'the key is not one of its type', [
    [{ ...valid, keyType: 'cpf' }, 'key'],
    [{ ...valid, keyType: 'cpf', key: '529.982.247-26' }, 'key'],
    [{ ...valid, keyType: 'random', key: 'x' }, 'key'],
    [{ ...valid, key: 'shop' }, 'key'],
  ])

  refuses(fixture, 'sendPix', 'a field is missing, empty, too long or unknown', [
    [{ ...valid, merchantName: undefined }, 'merchantName'],
    [{ ...valid, merchantName: '' }, 'merchantName'],
    [{ ...valid, merchantName: 'x'.repeat(101) }, 'merchantName'],
    [{ ...valid, merchantName: 'a\nb' }, 'merchantName'],
    [{ ...valid, keyType: 'iban' }, 'keyType'],
    [{ ...valid, keyType: undefined }, 'keyType'],
    [{ ...valid, key: 'x'.repeat(101) }, 'key'],
    [{ ...valid, amount: '10' }, 'amount'],
  ])
})
