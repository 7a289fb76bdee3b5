// The page's beginning: theme, language, queries and the shell.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from './language.tsx'
import { createQueries } from './queries.ts'
import { Shell } from './shell.tsx'
import { applyKeptTheme } from './theme.ts'
import { ToastProvider } from './ui/toast.tsx'

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
