import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ConnectionBanner } from '../components/layouts/connection-banner.tsx';
import { Toaster } from '../components/ui/toaster.tsx';
import { queryClient } from '../lib/query-client.ts';
import { router } from './router.tsx';

export function Providers() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ConnectionBanner />
      <Toaster />
    </QueryClientProvider>
  );
}
