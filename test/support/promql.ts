// The metrics and labels that an expression of PromQL uses, read with the parser of Prometheus.
import { parser } from '@prometheus-io/lezer-promql'

export interface UsedMetric {
  name: string
  /** From its label matchers. */
  labels: string[]
}

export interface UsedNames {
  metrics: UsedMetric[]
  /** From `by`, `without`, `on` and the like: labels of the result. */
  grouping: string[]
}

/** Throws if the expression is not PromQL. */
export function namesIn(expression: string): UsedNames {
  // Grafana replaces its variable with a duration.
  const text = expression.replaceAll('$__rate_interval', '1m')
  const metrics: UsedMetric[] = []
  const grouping: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to, node: { parent } }) {
      const written = text.slice(from, to)
      if (type.isError) throw new Error(`not PromQL at character ${from}: ${text}`)
      if (type.name === 'Identifier' && parent?.name === 'VectorSelector')
        metrics.push({ name: written, labels: [] })
      if (type.name === 'LabelName')
        (parent?.name === 'GroupingLabels' ? grouping : metrics.at(-1)?.labels)?.push(written)
    },
  })
  return { metrics, grouping }
}
