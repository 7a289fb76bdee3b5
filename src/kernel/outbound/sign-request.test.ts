// The examples of the specification of Signature Version 4.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type RequestToSign, signRequest } from './sign-request.ts'

const CREDENTIALS = {
  region: 'us-east-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const AT = new Date('2013-05-24T00:00:00Z')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const request = (change: Partial<RequestToSign>): RequestToSign => ({
  method: 'GET',
  host: 'examplebucket.s3.amazonaws.com',
  path: '/',
  query: {},
  bodyHash: sha256(''),
  ...change,
})

const EXAMPLES: [what: string, RequestToSign, target: string, signature: string][] = [
  [
    'an object',
    request({ path: '/test.txt', headers: { Range: 'bytes=0-9' } }),
    '/test.txt',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an upload with a name that is encoded',
    request({
      method: 'PUT',
      path: '/test$file.text',
      headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      bodyHash: sha256('Welcome to Amazon S3.'),
    }),
    '/test%24file.text',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a query without a value',
    request({ query: { lifecycle: '' } }),
    '/?lifecycle=',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list, with its query in order',
    request({ query: { prefix: 'J', 'max-keys': '2' } }),
    '/?max-keys=2&prefix=J',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
]

for (const [what, example, target, signature] of EXAMPLES) {
  test(`signs ${what}`, () => {
    const signed = signRequest(CREDENTIALS, example, AT)
    assert.equal(signed.target, target)
    assert.ok(signed.headers.authorization?.endsWith(`Signature=${signature}`), signed.headers.authorization)
    assert.ok(!JSON.stringify(signed).includes(CREDENTIALS.secretKey), 'the secret key is not sent')
  })
}
