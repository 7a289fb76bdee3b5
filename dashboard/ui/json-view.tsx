// JSON as it is, readable. Text stays text: React writes no markup of it.
export const JsonView = ({ value, label }: { value: unknown; label: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard
  <pre className="json" tabIndex={0} aria-label={label}>
    {JSON.stringify(value, undefined, 2)}
  </pre>
)
