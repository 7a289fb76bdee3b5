// What the parts in ui/ say.
export const ui = {
  loading: 'Loading …',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  dismiss: 'Dismiss',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  page: (page: number) => `Page ${page}`,
  actions: 'Actions',
  never: 'Never',
}
