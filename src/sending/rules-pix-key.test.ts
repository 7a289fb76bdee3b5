import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PixKeyType } from '../contract/message-values.ts'
import { pixKey } from './rules-pix-key.ts'

const RANDOM = '123e4567-e89b-12d3-a456-426614174000'

describe('a PIX key', () => {
  const valid: [PixKeyType, given: string, stored: string][] = [
    ['phone', '+55 (11) 91234-5678', '+5511912345678'],
    ['phone', '5511912345678', '+5511912345678'],
    ['phone', '11912345678', '+5511912345678'],
    ['phone', '1133334444', '+551133334444'],
    ['phone', '551133334444', '+551133334444'],
    // An area code that is written as the country code is.
    ['phone', '55991234567', '+5555991234567'],
    ['email', ' Shop@Example.com ', 'shop@example.com'],
    ['cpf', '529.982.247-25', '52998224725'],
    ['cpf', '52998224725', '52998224725'],
    ['cnpj', '11.222.333/0001-81', '11222333000181'],
    ['cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['random', RANDOM.toUpperCase(), RANDOM],
  ]
  for (const [type, given, stored] of valid)
    test(`of the type ${type} is "${given}"`, () => assert.equal(pixKey(type, given), stored))

  const invalid: [PixKeyType, given: string][] = [
    ['phone', '912345678'],
    ['phone', '+4915112345678'],
    ['phone', '+11912345678'],
    ['phone', '11012345678'],
    ['phone', '119123456789'],
    ['phone', 'shop@example.com'],
    ['email', 'shop'],
    ['email', 'shop@example'],
    ['email', 'a b@example.com'],
    ['email', 'shop@example..com'],
    ['email', `${'a'.repeat(66)}@example.com`],
    ['cpf', '529.982.247-26'],
    ['cpf', '529.982.247-15'],
    ['cpf', '111.111.111-11'],
    ['cpf', '5299822472'],
    ['cpf', '5299822472A'],
    ['cnpj', '11.222.333/0001-82'],
    ['cnpj', '12ABC34501DE36'],
    ['cnpj', '00000000000000'],
    ['cnpj', '52998224725'],
    ['random', RANDOM.replaceAll('-', '')],
    ['random', `${RANDOM}0`],
    ['random', 'shop@example.com'],
    ['random', ''],
  ]
  for (const [type, given] of invalid)
    test(`of the type ${type} is not "${given}"`, () => assert.equal(pixKey(type, given), undefined))
})
