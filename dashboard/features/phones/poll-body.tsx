// A poll with its options and voters; a tap votes.

import { api } from '../../gateway/api.ts'
import { useTexts } from '../../ui/language.tsx'
import css from './poll-body.module.css'
import { useAct, useNames, type WorldMessage } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

interface Props {
  number: string
  messageId: string
  poll: NonNullable<WorldMessage['poll']>
}

export function PollBody({ number, messageId, poll }: Props) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const own = poll.votes[number] ?? []
  const voters = Object.values(poll.votes).filter((options) => options.length > 0).length
  const many = poll.selectableCount
  function choose(option: string) {
    const others = many === 1 ? [] : own.filter((chosen) => chosen !== option)
    const options = own.includes(option) ? own.filter((chosen) => chosen !== option) : [...others, option]
    // If too many options are selected, the latest ones count.
    const allowed = many === 0 ? options : options.slice(-many)
    act(api.sandboxVote({ params: { number }, body: { messageId, options: allowed } }))
  }
  return (
    <div className={css.phonePoll}>
      <strong className="wrap">{poll.name}</strong>
      <span className="small muted">
        {many === 1 ? t.pollOne : many === 0 ? t.pollAny : t.pollMany(many)}
      </span>
      {poll.options.map((option) => (
        <Option
          key={option}
          option={option}
          votes={poll.votes}
          voters={voters}
          isOwn={own.includes(option)}
          onChoose={() => choose(option)}
        />
      ))}
    </div>
  )
}

interface OptionProps {
  option: string
  votes: Props['poll']['votes']
  voters: number
  isOwn: boolean
  onChoose(): void
}

function Option({ option, votes, voters, isOwn, onChoose }: OptionProps) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const who = Object.entries(votes).flatMap(([number, chosen]) =>
    chosen.includes(option) ? [names(number)] : [],
  )
  return (
    <button
      type="button"
      className={css.pollOption}
      aria-pressed={isOwn}
      title={who.length === 0 ? undefined : who.join(', ')}
      onClick={onChoose}
    >
      <span className="row apart">
        <span className="wrap">{option}</span>{' '}
        <span className="number" aria-hidden="true">
          {who.length}
        </span>
        <span className="sr-only">{t.votes(who.length)}</span>
      </span>
      <progress aria-hidden="true" max={Math.max(1, voters)} value={who.length} />
    </button>
  )
}
