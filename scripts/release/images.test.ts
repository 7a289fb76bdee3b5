// The rules for container images: a release names none of another project without its digest.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultLine } from './fault.ts'
import { imageFaults } from './images.ts'

const DIGEST = `sha256:${'ab'.repeat(32)}`
const linesOf = (text: string): string[] => imageFaults({ Dockerfile: text }, '26.10.0').map(faultLine)

describe('container images', () => {
  test('images with a digest, the image of this project and build arguments pass', () => {
    const lines = [
      `ARG NODE_IMAGE=node:26.10.0-bookworm-slim@${DIGEST}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as a Dockerfile has it
      'FROM ${NODE_IMAGE} AS build',
      '    image: switchboard-gateway:0.1.0',
      `    image: postgres:17.11@${DIGEST}`,
      '    # image: anything',
    ]
    assert.deepEqual(linesOf(lines.join('\n')), [])
  })

  test('an image without a digest, or with half of one, is reported with the command that finds it', () => {
    const remedy = 'add the one that "docker buildx imagetools inspect postgres:17" prints'
    assert.deepEqual(linesOf('    image: postgres:17'), [`Dockerfile: postgres:17 has no digest: ${remedy}`])
    assert.deepEqual(linesOf('FROM postgres:17@sha256:abcd AS base'), [
      `Dockerfile: postgres:17@sha256:abcd has no digest: ${remedy}`,
    ])
  })

  test('an image with a different Node than the package is reported', () => {
    assert.deepEqual(linesOf(`ARG NODE_IMAGE=node:26.9.0-bookworm-slim@${DIGEST}`), [
      'Dockerfile: node:26.9.0-bookworm-slim has a different Node than package.json (26.10.0): use node:26.10.0-…',
    ])
  })
})
