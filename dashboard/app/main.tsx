// The entry point: theme, language, queries and the shell.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from '../gateway/queries.ts'
import { loadTexts } from '../ui/dictionary.ts'
import { LanguageProvider, preferredLanguage } from '../ui/language.tsx'
import { LoadBoundary } from '../ui/load-boundary.tsx'
import { applyKeptTheme } from '../ui/theme.ts'
import { ToastProvider } from '../ui/toast.tsx'
import { Shell } from './shell.tsx'

applyKeptTheme()
const root = document.getElementById('root')
if (root) void start(root)

/** Renders once the texts are there, so that no other language is shown before the reader's. */
async function start(element: HTMLElement): Promise<void> {
  try {
    await loadTexts(preferredLanguage())
  } catch {
    // Without texts in any language: this is the one sentence of the dashboard that has no translation.
    element.textContent = 'The dashboard could not be loaded completely. Reload the page.'
    return
  }
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={createQueries()}>
        <LanguageProvider>
          <ToastProvider>
            <LoadBoundary>
              <Shell />
            </LoadBoundary>
          </ToastProvider>
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
