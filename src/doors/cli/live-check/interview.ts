// Questions to the person at the terminal. A file of answers can take the place of the person.
import { createInterface } from 'node:readline'
import { digitsOf } from '../../../contract/phone-number.ts'
import { UsageError } from '../usage-error.ts'

export interface Question<T> {
  /** Names the question in a file of answers, in parts with dots: an answer to `shown` also answers `shown.text.web`. */
  id: string
  text: string
  /** Described to the person after an answer that is not accepted. */
  expected: string
  /** Undefined: not accepted. */
  read(answer: string): T | undefined
}

export interface Interview {
  say(text: string): void
  ask<T>(question: Question<T>): Promise<T>
  close(): void
}

export type Answers = Record<string, string>

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Ctrl-C, or the end of the input. */
  interrupt(): void
  signal: AbortSignal
}

export function askAtTerminal({ input, output, interrupt, signal }: Terminal): Interview {
  // Without `output` for a pipe, so that the answers are not repeated.
  const reader = createInterface({ input, ...(input.isTTY ? { output } : {}) })
  reader.on('SIGINT', interrupt)
  const lines = reader[Symbol.asyncIterator]()
  const say = (text: string): void => void output.write(`${text}\n`)
  const nextLine = async (): Promise<string> => {
    const line = await Promise.race([lines.next(), rejection(signal)])
    if (line.done) interrupt()
    signal.throwIfAborted()
    return String(line.value).trim()
  }
  return {
    say,
    async ask({ text, expected, read }) {
      for (output.write(`\n${text}\n> `); ; output.write(`Expected: ${expected}\n> `)) {
        const answer = read(await nextLine())
        if (answer !== undefined) return answer
      }
    },
    close: () => reader.close(),
  }
}

/** The questions are printed, so that a program can follow them. */
export function askFile(answers: Answers, output: Pick<NodeJS.WriteStream, 'write'>): Interview {
  return {
    say: (text) => void output.write(`${text}\n`),
    async ask({ id, text, expected, read }) {
      output.write(`\n${text}\n`)
      const given = answerTo(answers, id)
      if (given === undefined) throw new UsageError(`--answers: no answer to ${id}`)
      output.write(`> ${given}\n`)
      const answer = read(given)
      if (answer === undefined) throw new UsageError(`--answers: ${id}: expected ${expected}`)
      return answer
    },
    close: () => undefined,
  }
}

/** The answer with the longest name that fits. */
export function answerTo(answers: Answers, id: string): string | undefined {
  const parts = id.split('.')
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count).join('.')
    if (Object.hasOwn(answers, name)) return answers[name]
  }
  return undefined
}

/** A choice between words. The first letters are enough where only one word begins with them. */
export function choice<const T extends string>(id: string, text: string, words: readonly T[]): Question<T> {
  return {
    id,
    text: `${text} [${words.join(' / ')}]`,
    expected: words.join(', '),
    read(answer) {
      const typed = answer.toLowerCase()
      const found = typed === '' ? [] : words.filter((word) => word.startsWith(typed))
      return words.find((word) => word === typed) ?? (found.length === 1 ? found[0] : undefined)
    },
  }
}

export const phoneNumber = (id: string, text: string): Question<string> => ({
  id,
  text,
  expected: 'a phone number with country code, such as 5511912345678',
  read: digitsOf,
})

function rejection(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  // The line may come first.
  promise.catch(() => undefined)
  return promise
}
