// A client process with the network library as it is published, with its own Signal package.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Command, Report } from './original-client.ts'

const file = (name: string): string => join(import.meta.dirname, name)

export interface OriginalClient {
  command(given: Command): Promise<string | undefined>
  /** The texts that were received, in their order. */
  received: string[]
  /** Everything that the client has reported. */
  reports: Report[]
  end(): void
}

export function startOriginal(onQr: (qr: string) => Promise<unknown>): OriginalClient {
  const ids = new Set<string>()
  const received: string[] = []
  const reports: Report[] = []
  const answers = new Map<number, PromiseWithResolvers<string | undefined>>()
  const fail = (error: Error): void => {
    for (const answer of answers.values()) answer.reject(error)
  }
  const child = fork(file('original-client.ts'), [], {
    execArgv: ['--import', file('original-packages.ts')],
  })
  child.on('error', (error) => fail(error))
  child.on('exit', (code) => fail(new Error(`the client ended with ${code}`)))
  child.on('message', (report: Report) => {
    reports.push(report)
    if (report.kind === 'qr') void onQr(report.qr)
    else if (report.kind === 'message') {
      // The library reports a message again when it was delivered again; users of it tell them apart by their id.
      if (ids.has(report.id)) return
      ids.add(report.id)
      received.push(report.text)
    } else if (report.kind === 'answer') {
      const answer = answers.get(report.ask)
      if (report.error === undefined) answer?.resolve(report.value)
      else answer?.reject(new Error(report.error))
    }
  })
  return {
    received,
    reports,
    command(given) {
      const ask = answers.size
      const answer = Promise.withResolvers<string | undefined>()
      answers.set(ask, answer)
      child.send({ ask, command: given })
      return answer.promise
    },
    end: () => {
      if (child.connected) child.disconnect()
    },
  }
}
