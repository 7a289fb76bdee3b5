// The icons on a phone.
import css from './glyph.module.css'

const GLYPHS = {
  chat: 'M4 5h16v11H9l-5 4z',
  link: 'M4 6h11v9H4zM2 18h15M18 9h4v10h-4z',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6z',
  off: 'M3 3l18 18M8.5 15.5a5 5 0 0 1 5-1.2M5 12a10 10 0 0 1 4-2.4M2 8.5A15 15 0 0 1 6 6M13 9a10 10 0 0 1 6 3M12 5a15 15 0 0 1 10 3.5M12 19h.01',
  back: 'M15 5l-7 7 7 7',
  plus: 'M12 5v14M5 12h14',
  send: 'M4 12 20 4l-5 16-3-7z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.6.8 4 2.7 4 5.5',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  pin: 'M12 21s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12M12 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  call: 'M6 4h4l2 5-2.5 1.5a11 11 0 0 0 4 4L15 12l5 2v4a2 2 0 0 1-2 2A15 15 0 0 1 4 6a2 2 0 0 1 2-2',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  reply: 'M10 6 4 12l6 6M4 12h10a6 6 0 0 1 6 6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  close: 'M6 6l12 12M18 6 6 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 4-6 8-6s8 2 8 6',
  pen: 'M4 20h4L20 8l-4-4L4 16zM13 7l4 4',
  star: 'M12 4l2.4 5.2 5.6.7-4.2 3.8 1.2 5.6-5-2.8-5 2.8 1.2-5.6L4 9.9l5.6-.7z',
  forward: 'M14 6l6 6-6 6M20 12H10a6 6 0 0 0-6 6',
  tack: 'M9 3h6l-1 7 4 4H6l4-4zM12 14v7',
  bin: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  mute: 'M4 9h3l5-4v14l-5-4H4zM16 9l5 6M21 9l-5 6',
  video: 'M3 7h12v10H3zM15 11l6-3v8l-6-3',
  once: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18M10.5 9.5 12 8v8',
  clock: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18M12 7v5l3 2',
  status:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3a9 9 0 0 1 8.5 6M20.5 15A9 9 0 0 1 12 21M8 20a9 9 0 0 1-4-12',
  away: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5',
  date: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  none: 'M5 5l14 14M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18',
} as const
export type GlyphName = keyof typeof GLYPHS

/** Without a label it is decoration. */
export const Glyph = ({ name, label }: { name: GlyphName; label?: string }) => (
  <svg
    className={css.glyph}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.9"
    strokeLinecap="round"
    strokeLinejoin="round"
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
  >
    <path d={GLYPHS[name]} />
  </svg>
)
