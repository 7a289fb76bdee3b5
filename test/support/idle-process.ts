// A process without work: the stalls of its event loop are those of the machine.
import { reportLoop } from './loop-watch.ts'

reportLoop()
process.channel?.ref()
