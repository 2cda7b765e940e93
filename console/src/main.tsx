import './lib/arrival.ts';
import './lib/zod.ts';
import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchPage } from './app/fetch-page.ts';
import { Providers } from './app/providers.tsx';
import { followRightsChange } from './app/rights-change.ts';
import { followSessionEnd } from './app/session-end.ts';

fetchPage();
followSessionEnd();
followRightsChange();

const host = document.getElementById('root');
if (host === null) throw new Error('index.html has no #root');
createRoot(host).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
