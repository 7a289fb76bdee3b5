// The name and logo of the dashboard.
import css from './brand.module.css'

export const Brand = () => (
  <span className={css.brand}>
    <img src="/icon.svg" alt="" />
    Switchboard
  </span>
)
