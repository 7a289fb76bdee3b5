// Texts that would run as scripts if the dashboard treated them as markup: each would set `window.hit`.

export const SCRIPT_STRINGS = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg onload=window.hit=1>',
  "'-window.hit=1-'",
  '<a href="javascript:window.hit=1">x</a>',
  '<iframe srcdoc="<script>top.hit=1">',
  '{{constructor.constructor("hit=1")()}}',
  '${window.hit=1}',
  '</title><script>hit=1</script>',
  '<style onload=hit=1>',
  '<details open ontoggle=hit=1>',
  '&lt;script&gt;hit=1&lt;/script&gt;',
]
