import './lib/zod.ts';
import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { followSessionEnd } from './app/session-end.ts';

followSessionEnd();

const host = document.getElementById('root');
if (host === null) throw new Error('index.html has no #root');
createRoot(host).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
