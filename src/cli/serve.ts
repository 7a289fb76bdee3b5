// `serve`: the server, as `npm start` runs it.
import { command } from './command.ts'

export const serve = command({
  name: 'serve',
  summary: 'Run the server until it is told to stop, as npm start does',
  description: 'The settings are environment variables; docs/operating.md lists them.',
  parameters: [],
  options: {},
  async run({ environment }) {
    // Loaded here, so that the other commands start without the server's parts.
    await (await import('../serve.ts')).serve(environment)
    return undefined
  },
})
