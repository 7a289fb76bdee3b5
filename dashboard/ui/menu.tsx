// A button that opens a list of further actions.
import buttonCss from './button.module.css'
import { classNames } from './class-names.ts'
import css from './menu.module.css'
import { Popover } from './popover.tsx'

export interface MenuItem {
  title: string
  danger?: boolean
  onChoose(): void
}

export const Menu = ({ label, items }: { label: string; items: readonly MenuItem[] }) => (
  <Popover
    label={label}
    trigger="⋯"
    className={classNames(buttonCss.button, buttonCss.quiet, buttonCss.small)}
  >
    {(id) =>
      items.map((item) => (
        <button
          key={item.title}
          type="button"
          className={classNames(css.item, item.danger && css.danger)}
          onClick={() => {
            // Closed first: a dialog that the action opens must give the focus back to the button of the menu.
            document.getElementById(id)?.hidePopover()
            item.onChoose()
          }}
        >
          {item.title}
        </button>
      ))
    }
  </Popover>
)
