// Icons, drawn in one stroke width.
export const ICONS = {
  overview: 'M4 20h16M7 20v-7M12 20V5M17 20v-10',
  instances: 'M7 3h10v18H7zM11 18h2',
  conversations: 'M4 5h16v11H9l-5 4z',
  contacts:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2 20c0-3.5 3-5.5 7-5.5s7 2 7 5.5M16 4.5a3.5 3.5 0 0 1 0 6M18.5 15c2 .8 3.5 2.5 3.5 5',
  approvals: 'M4 12.5 9 17.5 20 6.5',
  webhooks: 'M13 3 5 14h6l-1 7 8-11h-6z',
  destinations: 'M4 6h16v4H4zM4 14h16v4H4zM8 8h.01M8 16h.01',
  events: 'M3 12h4l3 7 4-14 3 7h4',
  phone: 'M6 4h4l2 5-2.5 1.5a11 11 0 0 0 4 4L15 12l5 2v4a2 2 0 0 1-2 2A15 15 0 0 1 4 6a2 2 0 0 1 2-2',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 4-6 8-6s8 2 8 6',
  preferences:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3.5 9h17M3.5 15h17M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5',
  close: 'M6 6l12 12M18 6 6 18',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.6.8 4 2.7 4 5.5',
  operator: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M8 14v6',
} as const
export type IconName = keyof typeof ICONS

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={ICONS[name]} />
  </svg>
)
