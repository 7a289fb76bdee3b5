// Formatted JSON. React escapes it, so markup stays text.
import css from './text-block.module.css'

export const JsonView = ({ value, label }: { value: unknown; label: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard
  <pre className={css.json} tabIndex={0} aria-label={label}>
    {JSON.stringify(value, undefined, 2)}
  </pre>
)
