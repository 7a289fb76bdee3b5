// What the parts in ui/ say.
export const ui = {
  loading: 'Loading…',
  retry: 'Try again',
  loadFailed: 'This page could not be shown',
  loadFailedText:
    'The gateway may have been updated, or the connection may be lost. Reload the page to continue.',
  reload: 'Reload',
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
  pickInstance: 'Type a name or number to search',
  search: 'Search',
  noMatch: 'No results.',
  never: 'Never',
}
