// The entry point: theme, language, queries and the shell.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from '../gateway/queries.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { applyKeptTheme } from '../ui/theme.ts'
import { ToastProvider } from '../ui/toast.tsx'
import { Shell } from './shell.tsx'

applyKeptTheme()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueries()}>
        <LanguageProvider>
          <ToastProvider>
            <Shell />
          </ToastProvider>
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
