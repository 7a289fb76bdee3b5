// The metrics and labels that an expression of PromQL uses. Not a full parser: it knows the forms that deploy/monitoring uses, and
// throws where it meets something else.

export interface UsedMetric {
  name: string
  /** From its label matchers. */
  labels: string[]
}

export interface UsedNames {
  metrics: UsedMetric[]
  /** From `by` and `without`: labels of the result. */
  grouping: string[]
}

const FUNCTIONS = new Set(['deriv', 'histogram_quantile', 'increase', 'max', 'min', 'rate', 'sum', 'topk'])
const OPERATORS = new Set(['and', 'or', 'unless'])
const GROUPINGS = new Set(['by', 'without'])
const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<range>\[(?:\d+[smhd]|\$__rate_interval)\])|(?<name>[A-Za-z_][\w:]*)|(?<number>\d+(?:\.\d+)?)|(?<sign>[(){},]|=~|!~|!=|==|>=|<=|[=<>+*/-]))/y

type Token = Record<'text' | 'range' | 'name' | 'number' | 'sign', string | undefined>

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < expression.trimEnd().length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(expression)
    if (!match) throw new Error(`not understood: ${expression.slice(at)}`)
    tokens.push(match.groups as Token)
  }
  return tokens
}

export function namesIn(expression: string): UsedNames {
  const tokens = tokensOf(expression)
  const used: UsedNames = { metrics: [], grouping: [] }
  checkBrackets(expression, tokens)
  for (let index = 0; index < tokens.length; index += 1) {
    const name = tokens[index]?.name
    const next = tokens[index + 1]?.sign
    if (name === undefined || OPERATORS.has(name)) continue
    if (GROUPINGS.has(name)) {
      const end = endOf(tokens, index + 1, ')')
      used.grouping.push(...tokens.slice(index + 2, end).flatMap((token) => token.name ?? []))
      index = end
    } else if (FUNCTIONS.has(name)) {
      const isCall = next === '(' || GROUPINGS.has(tokens[index + 1]?.name ?? '')
      if (!isCall) throw new Error(`${name} has no arguments in ${expression}`)
    } else if (next === '(') {
      throw new Error(`unknown function ${name} in ${expression}`)
    } else {
      const end = next === '{' ? endOf(tokens, index + 1, '}') : index
      used.metrics.push({ name, labels: matchersIn(tokens.slice(index + 2, end)) })
      index = end
    }
  }
  return used
}

const MATCHES = new Set(['=', '!=', '=~', '!~'])

/** A name that an operator follows is a label; its value is a text. */
const matchersIn = (tokens: Token[]): string[] =>
  tokens.flatMap(({ name }, index) => {
    if (name === undefined) return []
    const isMatcher = MATCHES.has(tokens[index + 1]?.sign ?? '') && tokens[index + 2]?.text !== undefined
    if (!isMatcher) throw new Error(`${name} is not matched with a text`)
    return [name]
  })

function endOf(tokens: Token[], from: number, sign: string): number {
  const end = tokens.findIndex((token, index) => index > from && token.sign === sign)
  if (end < 0) throw new Error(`${sign} is missing`)
  return end
}

const CLOSES: Record<string, string> = { '(': ')', '{': '}' }

function checkBrackets(expression: string, tokens: Token[]): void {
  const open: string[] = []
  for (const { sign = '' } of tokens) {
    if (CLOSES[sign]) open.push(CLOSES[sign])
    else if ((sign === ')' || sign === '}') && open.pop() !== sign)
      throw new Error(`brackets of ${expression}`)
  }
  if (open.length > 0) throw new Error(`brackets of ${expression}`)
}
