import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` keeps the console's server; the built app is served by that server itself. */
const serverUrl = process.env['CONSOLE_SERVER_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/trpc': { target: serverUrl } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Data URLs would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
});
